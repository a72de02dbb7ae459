/**
 * For formats that are written both ways: a file that ends in `.json` or `.xml` is one document, any other file is
 * read line by line and may grow.
 */
import { type FileFormat, fileSource } from '../files/file-source.ts';
import type { Source, SourceFiles, SourcePorts } from '../types.ts';

/** 1 000 results of tests with their traces are about 2 MB. */
export const DOCUMENT_BYTES_MAX = 32 * 1024 * 1024;

export function bothForms(
  path: string,
  forms: { readonly documents: FileFormat; readonly lines: FileFormat },
  ports: SourcePorts,
): Source {
  const { extensions } = forms.documents.wanted;
  const documents = fileSource(path, forms.documents, {
    ...ports,
    files: only(ports.files, (name) => isDocument(name, extensions)),
  });
  const lines = fileSource(path, forms.lines, {
    ...ports,
    files: only(ports.files, (name) => !isDocument(name, extensions)),
  });
  return {
    async list() {
      const all = [await documents.list(), await lines.list()];
      return {
        exists: all.some(({ exists }) => exists),
        count: all.reduce((sum, { count }) => sum + count, 0),
        streams: all.flatMap(({ streams }) => streams),
        notes: [...new Set(all.flatMap(({ notes }) => notes))],
      };
    },
  };
}

/** Also when it was rotated or packed: `report.json.gz`. */
function isDocument(name: string, extensions: readonly string[]): boolean {
  const parts = name.toLowerCase().split('.').slice(1);
  return parts.some((part) => extensions.includes(part));
}

function only(files: SourceFiles, isOwn: (name: string) => boolean): SourceFiles {
  return {
    open: (path) => files.open(path),
    async list(path, wanted) {
      const listing = await files.list(path, wanted);
      return { ...listing, files: listing.files.filter(({ name }) => isOwn(name)) };
    },
  };
}
