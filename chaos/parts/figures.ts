/** A measurement's totals by metric, for the tests that run a small version of it. */
import type { Context, Measurement } from '../../tools/measure.ts';

export async function figuresOf(
  measurement: Measurement,
  context: Context,
): Promise<Record<string, number>> {
  const figures: Record<string, number> = {};
  for await (const { metric, value } of measurement.run(context)) figures[metric] = value;
  return figures;
}
