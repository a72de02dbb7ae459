import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from './api.ts';
import { App } from './app.tsx';
import { loadAhead } from './page-loader.tsx';
import './style.css';
import { applyTheme } from './theme.ts';

applyTheme();
loadAhead(location.pathname);

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // The ledger's stream says when something changed; this is for what changes without an entry.
      refetchInterval: 30_000,
      staleTime: 5_000,
      retry: (times, error) => times < 2 && error instanceof ApiError && error.status >= 500,
      structuralSharing: false,
    },
  },
});

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
