/** A sentence of the server: hidden characters are visible, its times are those of the viewer. */
import { inZone } from '../format.ts';
import { Text } from './diff.tsx';

export function Prose({ text }: { readonly text: string }) {
  return <Text line={inZone(text)} />;
}
