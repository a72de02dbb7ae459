/** What a kind of source that reads files says about its format. */
import type { Decoder, FilesWanted } from '../types.ts';

export interface FileFormat {
  readonly wanted: FilesWanted;
  readonly decoder: Decoder;
  /** What a payload is: a line, unless given, or a whole file, which is read again when it was written anew. */
  readonly unit?: 'line' | 'document';
  /** Of a payload; a longer one is set aside. Unless given, 64 KiB of a line and 16 MiB of a document. */
  readonly payloadBytesMax?: number;
}
