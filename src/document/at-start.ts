/** What reading `hone.yaml` needs: the parsers of the other formats take as long to load as Node itself. */
export { readYamlParts, type YamlPart } from './formats/yaml/parts.ts';
export { lineIndex } from './line-index.ts';
