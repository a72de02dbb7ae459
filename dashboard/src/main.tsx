import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError, readSession } from './api.ts';
import { App } from './app.tsx';
import { loadAhead } from './page-loader.tsx';
import './style.css';
import { applyTheme } from './theme.ts';
import { SESSION } from './use-api.ts';

// What is on its way while the browser opens what it stores, which takes it some tens of milliseconds.
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

void client.prefetchQuery({ queryKey: SESSION, queryFn: readSession });
applyTheme();

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
