/** Does the jobs, as many at once as the machine has cores: what is waited for is mostly other processes. */
import { availableParallelism } from 'node:os';

export async function atOnce<T>(jobs: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = [];
  const left = jobs.entries();
  const worker = async () => {
    for (const [at, job] of left) results[at] = await job();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return results;
}
