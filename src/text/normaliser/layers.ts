/**
 * Opens encodings, and encodings inside encodings. Bounded three ways: depth, number of layers, and
 * all decoded text together as a multiple of the input, so that the time stays linear in the input
 * whatever it nests. What was left unopened is said.
 */
import { type Decoded, decodeBlobs } from './blobs.ts';
import { decodeEscapes } from './escapes.ts';
import type { Report } from './report.ts';
import type { Layer, Limits, Severity } from './types.ts';

const DECODED_UNITS_MIN = 4_096;

export interface Inspected {
  readonly canonical: string;
  readonly severity: Severity | 'none';
  readonly findings: Layer['findings'];
}

interface Place {
  readonly text: string;
  readonly depth: number;
  /** The outermost stretch in the original; undefined for the original itself. */
  readonly outer?: { start: number; end: number };
  readonly blobs: number;
}

/** `inspect` looks at one decoded text, without opening encodings in it. */
export function openLayers(
  original: string,
  limits: Limits,
  report: Report,
  inspect: (text: string) => Inspected,
): Layer[] {
  const layers: Layer[] = [];
  const seen = new Set<string>();
  let unitsLeft = Math.max(DECODED_UNITS_MIN, original.length * limits.decodedRatioMax);
  let closed = 0;
  let queue: Place[] = [{ text: original, depth: 0, blobs: 0 }];
  while (queue.length > 0) {
    const next: Place[] = [];
    for (const place of queue) {
      for (const decoded of decodeAll(place.text, limits.layerUnitsMax)) {
        if (seen.has(decoded.text)) continue;
        const outer = place.outer ?? { start: decoded.start, end: decoded.end };
        if (
          place.depth === limits.depthMax ||
          layers.length === limits.layersMax ||
          decoded.text.length > unitsLeft
        ) {
          closed += 1;
          continue;
        }
        seen.add(decoded.text);
        unitsLeft -= decoded.text.length;
        const inside = inspect(decoded.text);
        const blobs = place.blobs + (decoded.encoding === 'escapes' ? 0 : 1);
        const depth = place.depth + 1;
        layers.push({
          encoding: decoded.encoding,
          depth,
          ...outer,
          text: decoded.text,
          canonical: inside.canonical,
          findings: inside.findings,
        });
        reportLayer({ decoded, depth, blobs, outer, inside: inside.severity }, report);
        next.push({ text: decoded.text, depth, outer, blobs });
      }
    }
    queue = next;
  }
  if (closed > 0)
    report.add(
      'limit_reached',
      'suspicious',
      { start: 0, end: original.length },
      `${closed} encoded stretches were not opened: too many, too deep or too long`,
    );
  return layers;
}

function decodeAll(text: string, unitsMax: number): Decoded[] {
  const found = [...decodeBlobs(text, unitsMax), ...decodeEscapes(text, unitsMax)];
  // The telling ones first: harmless layers must not use up the limits before them.
  return found.sort((a, b) => loudness(b) - loudness(a) || a.start - b.start);
}

function loudness(decoded: Decoded): number {
  return decoded.prose || decoded.alarm !== undefined ? 1 : 0;
}

function reportLayer(
  layer: {
    decoded: Decoded;
    depth: number;
    blobs: number;
    outer: { start: number; end: number };
    inside: Severity | 'none';
  },
  report: Report,
): void {
  const { decoded, depth, blobs, outer, inside } = layer;
  const how = `${decoded.encoding}${depth > 1 ? `, layer ${depth}` : ''}`;
  if (inside === 'dangerous' && decoded.inCode !== true)
    report.add(
      'encoded_text',
      'dangerous',
      outer,
      `${how}: decodes to a text that hides something`,
      decoded.text,
    );
  else if (decoded.prose)
    report.add(
      'encoded_text',
      blobs > 1 ? 'dangerous' : 'suspicious',
      outer,
      `${how}: decodes to sentences`,
      decoded.text,
    );
  else if (decoded.alarm !== undefined)
    report.add('encoded_text', 'suspicious', outer, `${how}: ${decoded.alarm}`, decoded.text);
  else if (decoded.encoding !== 'escapes')
    report.add(
      'encoded_text',
      inside === 'suspicious' ? 'suspicious' : 'info',
      outer,
      `${how}: decodes to text`,
      decoded.text,
    );
}
