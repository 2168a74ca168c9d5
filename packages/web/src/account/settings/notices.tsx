// Notification settings: for which events, how, and the do-not-disturb times ([R395]).
import { type ReactNode, useId, useState, useSyncExternalStore } from 'react'
import { useStore } from 'zustand'
import { useT } from '../../core/i18n/i18n.ts'
import { noticePreferencesStore, setNoticePreferences } from '../../core/notices/notice-preferences.ts'
import { followLocalFlags, localFlag, setLocalFlag } from '../../core/session/local-state.ts'
import { Switch } from '../../kit/switch.tsx'
import { desktopPermission, playSound, requestDesktopPermission } from '../../notify/index.ts'
import { SettingRow } from '../frame/side-pages.tsx'
import { DigestSettings } from './digest.tsx'

const written = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')
const minutesOf = (text: string): number | undefined => {
  const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(text) ?? []
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes)
}

export function NoticeSettings(): ReactNode {
  const t = useT()
  const choices = useStore(noticePreferencesStore)
  const files = useSyncExternalStore(followLocalFlags, () => localFlag('fileChangeNotice'))
  const kept = useSyncExternalStore(followLocalFlags, () => localFlag('fileStorageNotice'))
  const [desktop, setDesktop] = useState(desktopPermission())
  const onDesktop = async (on: boolean): Promise<void> => {
    if (on) await requestDesktopPermission()
    setDesktop(desktopPermission())
    setNoticePreferences({ desktop: on && desktopPermission() === 'granted' })
  }
  const why = desktop === 'missing' || desktop === 'denied' ? t(`notify.set.desktop.${desktop}`) : undefined
  return (
    <>
      <SettingRow label={t('notify.set.files')}>
        <Switch label={t('notify.set.files')} on={files} onChange={(on) => setLocalFlag('fileChangeNotice', on)} />
      </SettingRow>
      <SettingRow label={t('notify.set.kept')}>
        <Switch label={t('notify.set.kept')} on={kept} onChange={(on) => setLocalFlag('fileStorageNotice', on)} />
      </SettingRow>
      <SettingRow label={t('notify.set.desktop')} note={why}>
        <Switch
          label={t('notify.set.desktop')}
          on={choices.desktop && desktop === 'granted'}
          disabled={why !== undefined}
          onChange={(on) => void onDesktop(on)}
        />
      </SettingRow>
      <SettingRow label={t('notify.set.sound')}>
        <Switch
          label={t('notify.set.sound')}
          on={choices.sound}
          onChange={(on) => {
            setNoticePreferences({ sound: on })
            if (on) playSound()
          }}
        />
      </SettingRow>
      <SettingRow label={t('notify.set.quiet')} note={t('notify.set.quietHint')}>
        <Switch
          label={t('notify.set.quiet')}
          on={choices.quiet}
          onChange={(quiet) => setNoticePreferences({ quiet })}
        />
      </SettingRow>
      {choices.quiet && (
        <SettingRow label={t('notify.set.quietTime')}>
          <TimeField
            label={t('notify.set.from')}
            value={choices.quietFrom}
            onChange={(quietFrom) => setNoticePreferences({ quietFrom })}
          />
          <span aria-hidden="true">–</span>
          <TimeField
            label={t('notify.set.to')}
            value={choices.quietTo}
            onChange={(quietTo) => setNoticePreferences({ quietTo })}
          />
        </SettingRow>
      )}
      <DigestSettings />
    </>
  )
}

interface TimeFieldProps {
  readonly label: string
  readonly value: number
  readonly onChange: (minutes: number) => void
}

function TimeField({ label, value, onChange }: TimeFieldProps): ReactNode {
  const id = useId()
  return (
    <>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <input
        id={id}
        type="time"
        className="ac-time"
        value={written(value)}
        onChange={(event) => {
          const minutes = minutesOf(event.target.value)
          if (minutes !== undefined) onChange(minutes)
        }}
      />
    </>
  )
}
