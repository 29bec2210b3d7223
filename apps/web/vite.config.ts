import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const server = 'http://127.0.0.1:4600';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
  build: { target: 'es2024', assetsInlineLimit: 0, chunkSizeWarningLimit: 1200 },
  // `npm run dev`: what is not a page is asked of the server, in the server's own name, since it lets nobody else in.
  server: { proxy: Object.fromEntries(['/api', '/open', '/healthz'].map(route => [route, { target: server, changeOrigin: true, headers: { origin: server } }])) },
});
