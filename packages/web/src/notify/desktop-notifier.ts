/*
 * Announces notices outside the page, by a desktop notification while no tab is visible, and by a sound. Only one tab
 * announces them, and none does in quiet hours. Browsers permit both only on secure origins and after a user
 * interaction. Without them the centre still counts.
 */
import { t } from '../core/i18n/i18n.ts'
import { onArrival, type StoredNotice } from '../core/notices/notice-centre.ts'
import { followNoticePreferences, isQuietTime, noticePreferencesStore } from '../core/notices/notice-preferences.ts'
import { noticePath, noticeWords } from './notice-words.ts'

/** Whether the browser permits notifications; `missing` if it does not support them. */
export function desktopPermission(): NotificationPermission | 'missing' {
  return 'Notification' in window && window.isSecureContext ? Notification.permission : 'missing'
}

/** Asks the browser for permission. Called only on a user action. */
export async function requestDesktopPermission(): Promise<void> {
  if (desktopPermission() === 'default') await Notification.requestPermission()
}

const speaking = 'cloudoc notices speak'
const looking = 'cloudoc notices looked at'

/** Plays two soft tones within a fifth of a second. */
export function playSound(): void {
  if (!('AudioContext' in window)) return
  const audio = new AudioContext()
  const gain = audio.createGain()
  gain.gain.setValueAtTime(0.0001, audio.currentTime)
  gain.gain.exponentialRampToValueAtTime(0.12, audio.currentTime + 0.02)
  gain.gain.exponentialRampToValueAtTime(0.0001, audio.currentTime + 0.2)
  gain.connect(audio.destination)
  for (const [at, pitch] of [
    [0, 660],
    [0.08, 880],
  ] as const) {
    const tone = audio.createOscillator()
    tone.frequency.value = pitch
    tone.connect(gain)
    tone.start(audio.currentTime + at)
    tone.stop(audio.currentTime + 0.2)
  }
  setTimeout(() => void audio.close(), 400)
}

const noticeText = (notice: StoredNotice): string => {
  const { actor, sentence } = noticeWords(notice)
  return [actor, sentence].filter(Boolean).join(' ')
}

/** Announces new notices while a user is signed in. */
export function startDesktopNotifier(navigate: (path: string) => void): () => void {
  const ending = new AbortController()
  const { signal } = ending
  const locks = 'locks' in navigator ? navigator.locks : undefined
  let speaks = locks === undefined
  const until = (): Promise<void> =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  // Leader election among the tabs: the tab that holds this lock announces notices; when it closes, another one gets
  // the lock.
  void locks
    ?.request(speaking, { signal }, () => {
      speaks = true
      return until()
    })
    .catch(() => undefined)

  let looked: AbortController | undefined
  const look = (): void => {
    const visible = document.visibilityState === 'visible'
    if (!visible) {
      looked?.abort()
      looked = undefined
    } else if (looked === undefined) {
      const mine = new AbortController()
      looked = mine
      const gone = new Promise<void>((resolve) =>
        mine.signal.addEventListener('abort', () => resolve(), { once: true }),
      )
      void locks?.request(looking, { mode: 'shared', signal: mine.signal }, () => gone).catch(() => undefined)
    }
  }
  const isLookedAt = async (): Promise<boolean> => {
    if (locks === undefined) return document.visibilityState === 'visible'
    const { held = [] } = await locks.query()
    return held.some(({ name }) => name === looking)
  }
  look()
  document.addEventListener('visibilitychange', look, { signal })

  const tell = async (notices: readonly StoredNotice[]): Promise<void> => {
    const choices = noticePreferencesStore.getState()
    const [first] = notices
    if (!speaks || first === undefined || isQuietTime(choices, new Date())) return
    if (choices.sound) playSound()
    if (!choices.desktop || desktopPermission() !== 'granted' || (await isLookedAt())) return
    const told = new Notification(t('notify.title'), {
      body:
        notices.length === 1
          ? noticeText(first)
          : t('notify.desktopMany', { first: noticeText(first), n: notices.length - 1 }),
      tag: 'cloudoc-notices',
      icon: '/favicon.svg',
    })
    told.onclick = () => {
      window.focus()
      told.close()
      const path = notices.length === 1 ? noticePath(first) : undefined
      navigate(path ?? '/notify/list')
    }
  }
  const stops = [onArrival((notices) => void tell(notices)), followNoticePreferences()]
  return () => {
    for (const stop of stops) stop()
    looked?.abort()
    ending.abort()
  }
}
