// The settings of the application in this browser ([R395]): what is told of, how, and when not.
import { type ReactNode, useId, useState, useSyncExternalStore } from 'react'
import { useStore } from 'zustand'
import { useT } from '../core/i18n/i18n.ts'
import { choicesStore, choose } from '../core/notices/choices.ts'
import { followLocalFlags, localFlag, setLocalFlag } from '../core/session/local-notes.ts'
import type { WindowProps } from '../core/windows/index.ts'
import { Button } from '../kit/button.tsx'
import { DialogBody, DialogFooter } from '../kit/dialog.tsx'
import { Checkbox } from '../kit/fields.tsx'
import { askForDesktop, desktopState, playSound } from './telling.ts'
import './notify.css'

const written = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')
const minutesOf = (text: string): number | undefined => {
  const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(text) ?? []
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes)
}

export function AppSettings({ close }: WindowProps<object>): ReactNode {
  const t = useT()
  const choices = useStore(choicesStore)
  const files = useSyncExternalStore(followLocalFlags, () => localFlag('fileChangeNotice'))
  const [desktop, setDesktop] = useState(desktopState())
  const onDesktop = async (on: boolean): Promise<void> => {
    if (on) await askForDesktop()
    setDesktop(desktopState())
    choose({ desktop: on && desktopState() === 'granted' })
  }
  const time = (name: 'quietFrom' | 'quietTo', label: string): ReactNode => (
    <TimeField
      label={label}
      value={choices[name]}
      disabled={!choices.quiet}
      onChange={(minutes) => choose({ [name]: minutes })}
    />
  )
  return (
    <>
      <DialogBody>
        <div className="nt-settings">
          <h3>{t('notify.title')}</h3>
          <Checkbox
            label={t('notify.set.files')}
            checked={files}
            onChange={(event) => setLocalFlag('fileChangeNotice', event.target.checked)}
          />
          <Checkbox
            label={t('notify.set.desktop')}
            checked={choices.desktop && desktop === 'granted'}
            disabled={desktop === 'missing' || desktop === 'denied'}
            onChange={(event) => void onDesktop(event.target.checked)}
          />
          {desktop !== 'granted' && desktop !== 'default' && <p>{t(`notify.set.desktop.${desktop}`)}</p>}
          <Checkbox
            label={t('notify.set.sound')}
            checked={choices.sound}
            onChange={(event) => {
              choose({ sound: event.target.checked })
              if (event.target.checked) playSound()
            }}
          />
          <h3>{t('notify.set.quietTitle')}</h3>
          <Checkbox
            label={t('notify.set.quiet')}
            checked={choices.quiet}
            onChange={(event) => choose({ quiet: event.target.checked })}
          />
          <div className="nt-times">
            {time('quietFrom', t('notify.set.from'))}
            {time('quietTo', t('notify.set.to'))}
          </div>
          <p>{t('notify.set.quietHint')}</p>
        </div>
      </DialogBody>
      <DialogFooter>
        <Button kind="primary" onClick={() => close()}>
          {t('notify.set.done')}
        </Button>
      </DialogFooter>
    </>
  )
}

interface TimeFieldProps {
  readonly label: string
  readonly value: number
  readonly disabled: boolean
  readonly onChange: (minutes: number) => void
}

function TimeField({ label, value, disabled, onChange }: TimeFieldProps): ReactNode {
  const id = useId()
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="time"
        className="nt-time"
        value={written(value)}
        disabled={disabled}
        onChange={(event) => {
          const minutes = minutesOf(event.target.value)
          if (minutes !== undefined) onChange(minutes)
        }}
      />
    </>
  )
}
