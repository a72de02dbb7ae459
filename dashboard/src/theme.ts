/** Light or dark: as the system is, unless somebody chose. */
const KEY = 'hone-theme';
const system = matchMedia('(prefers-color-scheme: dark)');

const chosen = () => localStorage.getItem(KEY);
const current = () => chosen() ?? (system.matches ? 'dark' : 'light');

export function applyTheme(): void {
  document.documentElement.dataset['theme'] = current();
}

export function switchTheme(): void {
  localStorage.setItem(KEY, current() === 'dark' ? 'light' : 'dark');
  applyTheme();
}

system.addEventListener('change', applyTheme);
