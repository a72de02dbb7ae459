/** What a text states that could be right or wrong: numbers, and what is set off by quotes or emphasis. Pure. */

const NUMBER = /\d[\d,.:/-]*\d/g;
const SET_OFF = /\*\*([^*\n]{2,60})\*\*|"([^"\n]{2,60})"|“([^”\n]{2,60})”|`([^`\n]{2,60})`/g;

export function specificsOf(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [number] of text.matchAll(NUMBER)) found.add(number.replace(/,(?=\d{3})/g, ''));
  for (const match of text.matchAll(SET_OFF)) {
    const plain = match.slice(1).find((part) => part !== undefined)!;
    found.add(plain.toLowerCase().replace(/^[\s"'*`]+|[\s"'*`.:,]+$/g, ''));
  }
  found.delete('');
  return found;
}
