// What follows from preferences of how the page looks: the black skin where the system is dark, and less motion.
import { type Preferences, preferencesStore } from '../../core/storage/preferences.ts'
import { showSkin } from '../../core/theme/theme.ts'

const dark = window.matchMedia('(prefers-color-scheme: dark)')

function show({ followDark, calm }: Preferences): void {
  if (calm) document.documentElement.dataset['calm'] = ''
  else delete document.documentElement.dataset['calm']
  showSkin(followDark && dark.matches ? 'black' : undefined)
}

/** Holds for as long as somebody is signed in. */
export function followCalm(): () => void {
  const take = (): void => show(preferencesStore.getState())
  take()
  dark.addEventListener('change', take)
  const unfollow = preferencesStore.subscribe(show)
  return () => {
    dark.removeEventListener('change', take)
    unfollow()
  }
}
