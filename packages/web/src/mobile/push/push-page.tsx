// Whether notices reach this device while no page is open, and when they do not disturb.
import { type ReactNode, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { api } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { noticePreferencesStore, setNoticePreferences } from '../../core/notices/notice-preferences.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { Switch } from '../../kit/switch.tsx'
import { MobilePage } from '../frame.tsx'
import { missingForOffline, registration } from '../offline/shell.ts'

type Known = Awaited<ReturnType<typeof api.getWebPush>>
/** Why the browser has not subscribed. */
type Refusal = 'denied' | 'noService'

/** The subscription of the browser with the key of the server. Undefined if the browser refuses. */
async function subscribe(): Promise<PushSubscription | Refusal> {
  if ((await Notification.requestPermission()) !== 'granted') return 'denied'
  const worker = await registration()
  if (worker === undefined) return 'noService'
  const { publicKey } = await api.prepareWebPush({})
  const before = await worker.pushManager.getSubscription()
  await before?.unsubscribe()
  try {
    return await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  } catch {
    // The browser reaches no push service.
    return 'noService'
  }
}

const written = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')
const minutesOf = (text: string): number | undefined => {
  const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(text) ?? []
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes)
}

export function PushPage(): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [known, setKnown] = useState<Known>()
  const [refusal, setRefusal] = useState<Refusal>()
  const { quiet, quietFrom, quietTo } = useStore(noticePreferencesStore)
  const read = (): Promise<void> => api.getWebPush({}).then(setKnown, notifyFailure)
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once
  useEffect(() => void read(), [])
  const switchOn = async (): Promise<void> => {
    const made = await subscribe()
    if (typeof made === 'string') return setRefusal(made)
    setRefusal(undefined)
    const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = made.toJSON()
    const { timeZone } = Intl.DateTimeFormat(locale).resolvedOptions()
    const now = noticePreferencesStore.getState()
    const hours = now.quiet ? { quiet: { from: now.quietFrom, to: now.quietTo } } : {}
    await api.setWebPush({ endpoint, p256dh, auth, timeZone, ...hours })
    await read()
  }
  const switchOff = async (): Promise<void> => {
    await api.endWebPush({})
    await (await (await registration())?.pushManager.getSubscription())?.unsubscribe()
    await read()
  }
  /** The quiet hours are those of this device; the server is told of a change. */
  const setHours = (change: Parameters<typeof setNoticePreferences>[0]): void => {
    setNoticePreferences(change)
    if (known?.on === true) void switchOn().catch(notifyFailure)
  }
  const missing = missingForOffline() ?? ('PushManager' in window ? undefined : 'push')
  return (
    <MobilePage title={t('mobile.push')} back="/m/me">
      {missing !== undefined ? (
        <p className="m-note" role="note">
          {t(`mobile.missing.${missing}`)}
        </p>
      ) : known === undefined ? (
        <Spinner />
      ) : !known.offered ? (
        <p className="m-note" role="note">
          {t('mobile.push.off')}
        </p>
      ) : (
        <div className="m-rows">
          <div className="m-row">
            <span>{t('mobile.push.on')}</span>
            <Switch
              label={t('mobile.push.on')}
              on={known.on}
              onChange={(on) => void (on ? switchOn() : switchOff()).catch(notifyFailure)}
            />
          </div>
          {refusal !== undefined && (
            <p className="m-note" role="status">
              {t(`mobile.push.${refusal}`)}
            </p>
          )}
          <div className="m-row">
            <span>{t('mobile.push.quiet')}</span>
            <Switch label={t('mobile.push.quiet')} on={quiet} onChange={(on) => setHours({ quiet: on })} />
          </div>
          {quiet &&
            (['quietFrom', 'quietTo'] as const).map((end) => (
              <label key={end} className="m-row">
                <span>{t(`mobile.push.${end}`)}</span>
                <input
                  type="time"
                  value={written(end === 'quietFrom' ? quietFrom : quietTo)}
                  onChange={({ target }) => {
                    const minutes = minutesOf(target.value)
                    if (minutes !== undefined) setHours({ [end]: minutes })
                  }}
                />
              </label>
            ))}
        </div>
      )}
    </MobilePage>
  )
}
