/** Of `hone.yaml`. Apart, so that reading the file loads nothing of what explains mistakes in it. */
export const FILE_BYTES_MAX = 256 * 1024;
