// Applies appearance preferences: the dark theme if the system is dark, and reduced motion.
import { type Preferences, preferencesStore } from '../../core/storage/preferences.ts'
import { showSkin } from '../../core/theme/theme.ts'

const dark = window.matchMedia('(prefers-color-scheme: dark)')

function applyAppearance({ followDark, calm }: Preferences): void {
  if (calm) document.documentElement.dataset['calm'] = ''
  else delete document.documentElement.dataset['calm']
  showSkin(followDark && dark.matches ? 'black' : undefined)
}

/** Active while a user is signed in. */
export function followAppearance(): () => void {
  const take = (): void => applyAppearance(preferencesStore.getState())
  take()
  dark.addEventListener('change', take)
  const unfollow = preferencesStore.subscribe(applyAppearance)
  return () => {
    dark.removeEventListener('change', take)
    unfollow()
  }
}
