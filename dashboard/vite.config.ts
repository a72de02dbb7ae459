/** How the dashboard is built: plain files with the digest of their bytes in their names, nothing inline. */
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  logLevel: 'warn',
  build: {
    target: 'es2023',
    // The policy of the pages allows no script or style inside of them, and no data: for scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    emptyOutDir: true,
    reportCompressedSize: false,
  },
});
