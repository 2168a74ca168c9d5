// The input control of one setting, by its type.
import { administered, calls, type SettingName, type SettingPlace, type SettingValue } from '@cloudoc/contract'
import { secretColours } from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { useStore } from 'zustand'
import { type Translate, useLocale, useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { Select } from '../../kit/select.tsx'
import { Switch } from '../../kit/switch.tsx'
import { draftStore } from './setting-drafts.ts'
import { choiceLabel, settingLabel } from './setting-labels.ts'

interface FieldSchema {
  safeParse(value: unknown): { readonly success: boolean }
  unwrap(): { readonly minValue?: number | null; readonly maxValue?: number | null }
}

/** The schema the server validates the setting with. */
function schemaOf(name: SettingName): FieldSchema {
  const { setServerSetting, setSafeStrategy } = calls
  const shapes = { ...setServerSetting.input.shape, ...setSafeStrategy.input.shape }
  return shapes[name] as unknown as FieldSchema
}

/** The error message for an invalid value. The server validates with the same schema. */
export function problemOf(t: Translate, name: SettingName, value: SettingValue): string | undefined {
  if (schemaOf(name).safeParse(value).success) return undefined
  const { as } = administered[name]
  if (as === 'number') {
    const { minValue: min, maxValue: max } = schemaOf(name).unwrap()
    const isRange = typeof min === 'number' && typeof max === 'number' && max < Number.MAX_SAFE_INTEGER
    return isRange ? t('admin.set.wrongRange', { min, max }) : t('admin.set.wrongNumber')
  }
  if (as === 'bytes') return t('admin.set.wrongBytes')
  if (as === 'address') return t('admin.set.wrongAddress')
  if (as === 'lines') return t('admin.set.wrongLines')
  if (as === 'host') return t('admin.set.wrongHost')
  if (as === 'gateway') return t('admin.set.wrongGateway')
  if (as === 'mail') return t('admin.set.wrongMail')
  return t('admin.set.wrongText')
}

export interface SettingFieldProps {
  readonly name: SettingName
  readonly value: SettingValue
  readonly disabled: boolean
  readonly describedBy: string
  readonly onChange: (value: SettingValue) => void
}

export function SettingField(props: SettingFieldProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const { name, value, disabled, describedBy, onChange } = props
  const label = settingLabel(name, locale)
  const place: SettingPlace = administered[name]
  switch (place.as) {
    case 'switch':
      return (
        <Switch label={label} on={value === true} disabled={disabled} describedBy={describedBy} onChange={onChange} />
      )
    case 'bytes':
      return <BytesField {...props} />
    case 'lines':
      return <LinesField {...props} />
    case 'colours':
      return <ColoursField {...props} />
    case 'number':
      if (place.choices === undefined) return <NumberField {...props} />
      return (
        <Select
          label={label}
          value={String(value)}
          disabled={disabled}
          options={place.choices.map((one, n) => ({ value: String(n), label: choiceLabel(t, one) }))}
          onChange={(n) => onChange(Number(n))}
        />
      )
    case 'choice':
      return (
        <Select
          label={label}
          value={String(value)}
          disabled={disabled}
          options={(place.choices ?? []).map((one) => ({ value: one as string, label: choiceLabel(t, one) }))}
          onChange={onChange}
        />
      )
    default:
      return (
        <span className="k-input ad-set-text">
          <input
            aria-label={label}
            aria-describedby={describedBy}
            value={String(value)}
            disabled={disabled}
            spellCheck={false}
            maxLength={500}
            placeholder={place.example}
            onChange={(event) => onChange(event.target.value)}
          />
        </span>
      )
  }
}

/** Parses a typed number. Text that is not a number stays visible and is rejected. */
const numberOf = (typed: string): SettingValue => (/^\d{1,15}$/.test(typed.trim()) ? Number(typed) : typed)

function NumberField({ name, value, disabled, describedBy, onChange }: SettingFieldProps): ReactNode {
  const locale = useLocale()
  return (
    <span className="k-input ad-set-number">
      <input
        aria-label={settingLabel(name, locale)}
        aria-describedby={describedBy}
        inputMode="numeric"
        value={String(value)}
        disabled={disabled}
        onChange={(event) => onChange(numberOf(event.target.value))}
      />
    </span>
  )
}

const units = { MB: 1024 ** 2, GB: 1024 ** 3, TB: 1024 ** 4 } as const
type Unit = keyof typeof units
const unitNames = ['TB', 'GB', 'MB'] as const

/** The largest unit in which the number needs at most two decimals. */
const unitOf = (bytes: number): Unit =>
  bytes === 0 ? 'GB' : (unitNames.find((unit) => Number.isInteger((bytes / units[unit]) * 100)) ?? 'MB')

const inUnits = (bytes: SettingValue, unit: Unit): string =>
  typeof bytes !== 'number' ? String(bytes) : bytes === 0 ? '' : String(bytes / units[unit])

/** The typed size in bytes. Text that is not a number stays visible and is rejected. */
const bytesOf = (typed: string, unit: Unit): SettingValue => {
  if (typed.trim() === '') return 0
  return /^\d+(\.\d{1,6})?$/.test(typed.trim()) ? Math.round(Number(typed) * units[unit]) : typed
}

function BytesField({ name, value, disabled, describedBy, onChange }: SettingFieldProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const label = settingLabel(name, locale)
  const [chosen, setChosen] = useState<Unit>()
  const [typed, setTyped] = useState('')
  // The typed text is shown while it matches the current value. The draft may have been discarded, or another
  // administrator may have changed the value.
  const stands = chosen !== undefined && bytesOf(typed, chosen) === value
  const unit = stands ? chosen : unitOf(Number(value) || 0)
  const shown = stands ? typed : inUnits(value, unit)
  const enter = (words: string, of: Unit): void => {
    setTyped(words)
    setChosen(of)
    onChange(bytesOf(words, of))
  }
  return (
    <span className="ad-set-bytes">
      <span className="k-input ad-set-number">
        <input
          aria-label={label}
          aria-describedby={describedBy}
          inputMode="decimal"
          placeholder={t('admin.set.unlimited')}
          value={shown}
          disabled={disabled}
          onChange={(event) => enter(event.target.value, unit)}
        />
      </span>
      <Select
        label={t('admin.set.unitOf', { what: label })}
        value={unit}
        disabled={disabled}
        options={unitNames.toReversed().map((one) => ({ value: one, label: one }))}
        onChange={(of) => enter(shown, of)}
      />
    </span>
  )
}

/** The lines of a text, without duplicates. */
const linesOf = (words: string): string[] => [
  ...new Set(
    words
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
]

function LinesField({ name, value, disabled, describedBy, onChange }: SettingFieldProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const place: SettingPlace = administered[name]
  const lines = Array.isArray(value) ? value : []
  const [typed, setTyped] = useState('')
  const shown = linesOf(typed).join('\n') === lines.join('\n') ? typed : lines.join('\n')
  return (
    <textarea
      className="ad-set-lines"
      aria-label={settingLabel(name, locale)}
      aria-describedby={describedBy}
      rows={Math.min(6, Math.max(2, shown.split('\n').length))}
      value={shown}
      disabled={disabled}
      spellCheck={false}
      placeholder={place.example ?? t('admin.set.perLine')}
      onChange={(event) => {
        setTyped(event.target.value)
        onChange(linesOf(event.target.value))
      }}
    />
  )
}

/** A colour for each secret level, labelled with the level's name. */
function ColoursField({ value, disabled, onChange }: SettingFieldProps): ReactNode {
  const t = useT()
  const drafted = useStore(draftStore, ({ drafts }) => drafts.secret_names)
  const kept = useSession().serverSetting.secret_names
  const names = Array.isArray(drafted) ? drafted : kept
  const colours = Array.isArray(value) ? value : []
  const colourOf = (level: number): string => colours[level] ?? colours.at(-1) ?? 'grey'
  return (
    <span className="ad-set-colours">
      {names.map((name, level) => (
        <span key={name}>
          <i className="ad-set-colour" data-colour={colourOf(level)} aria-hidden="true" />
          <span title={name}>{name}</span>
          <Select
            label={t('admin.set.colourOf', { name })}
            size="small"
            value={colourOf(level)}
            disabled={disabled}
            options={secretColours.map((one) => ({ value: one as string, label: t(`admin.set.colour.${one}`) }))}
            onChange={(colour) => onChange(names.map((_, n) => (n === level ? colour : colourOf(n))))}
          />
        </span>
      ))}
    </span>
  )
}
