/** A proxy that copies bytes between its caller and the server it starts: what any gateway costs at least. */
import { spawn } from 'node:child_process';

const [file, ...args] = process.argv.slice(2);
const child = spawn(file!, args, { stdio: ['pipe', 'pipe', 'inherit'] });
process.stdin.pipe(child.stdin);
child.stdout.pipe(process.stdout);
process.on('SIGTERM', () => {
  child.kill();
  process.exit(0);
});
