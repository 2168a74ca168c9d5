// What follows from preferences of how the page looks: the black skin where the system is dark, and less motion.
import { type Preferences, preferencesStore } from '../../core/storage/preferences.ts'
import { showSkin } from '../../core/theme/theme.ts'

const dark = window.matchMedia('(prefers-color-scheme: dark)')

function applyAppearance({ followDark, calm }: Preferences): void {
  if (calm) document.documentElement.dataset['calm'] = ''
  else delete document.documentElement.dataset['calm']
  showSkin(followDark && dark.matches ? 'black' : undefined)
}

/** Holds for as long as somebody is signed in. */
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
