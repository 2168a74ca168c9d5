// Chooses a secret level and its duration, either as a full list or as two fields in one line.
import { maxSecretDuration, secretPresets } from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { useSession } from '../../core/session/session.ts'
import { Select } from '../../kit/select.tsx'
import { durationText, endOf, LevelSign, type SecretChoice, useLevels } from './levels.tsx'

interface ChoiceProps {
  readonly value: SecretChoice
  readonly onChange: (value: SecretChoice) => void
}

const isPreset = ({ duration, unit }: SecretChoice): boolean =>
  secretPresets.some((preset) => preset.duration === duration && preset.unit === unit)

const units = [1, 2, 3] as const

/** Shows all levels and durations side by side. */
export function LevelChoiceGrid({ value, onChange }: ChoiceProps): ReactNode {
  const t = useT()
  const own = useSession().account.secretLevel
  const levels = useLevels()
  const [custom, setCustom] = useState(!isPreset(value))
  const [typed, setTyped] = useState(String(value.duration || 1))
  const set = (change: Partial<SecretChoice>): void => onChange({ ...value, ...change })
  const count = (words: string, unit: SecretChoice['unit']): void => {
    setTyped(words)
    const n = /^\d{1,5}$/.test(words.trim()) ? Math.min(Number(words), maxSecretDuration) : 0
    set(n === 0 ? { duration: 0, unit: 0 } : { duration: n, unit })
  }
  const unit = value.unit === 0 ? 2 : value.unit
  const above = levels.some(({ level }) => level > own)
  const end = value.secretLevel === 0 ? undefined : endOf(value)
  const ends =
    value.secretLevel === 0 ? '' : end === undefined ? t('drive.secret.never') : t('drive.secret.ends', { date: end })
  return (
    <>
      <div className="dr-secret-row">
        <span className="dr-secret-label">{t('drive.secret.level')}</span>
        <div className="dr-secret-levels" role="group" aria-label={t('drive.secret.level')}>
          {levels.map(({ level, name, colour }) => (
            <button
              key={level}
              type="button"
              aria-pressed={value.secretLevel === level}
              disabled={level > own}
              title={level > own ? t('drive.secret.above', { name: isolated(levels[own]?.name ?? '') }) : name}
              onClick={() => set({ secretLevel: level })}
            >
              <LevelSign colour={colour} />
              {name}
            </button>
          ))}
        </div>
      </div>
      {above && (
        <p className="dr-secret-hint">{t('drive.secret.above', { name: isolated(levels[own]?.name ?? '') })}</p>
      )}
      <div className="dr-secret-row">
        <span className="dr-secret-label">{t('drive.secret.keeps')}</span>
        <div className="dr-secret-terms" role="group" aria-label={t('drive.secret.keeps')}>
          {secretPresets.map((preset) => (
            <button
              key={`${preset.duration} ${preset.unit}`}
              type="button"
              disabled={value.secretLevel === 0}
              aria-pressed={!custom && value.duration === preset.duration && value.unit === preset.unit}
              onClick={() => {
                setCustom(false)
                set(preset)
              }}
            >
              {durationText(t, preset)}
            </button>
          ))}
          <button
            type="button"
            disabled={value.secretLevel === 0}
            aria-pressed={custom}
            onClick={() => {
              setCustom(true)
              count(typed, unit)
            }}
          >
            {t('drive.secret.custom')}
          </button>
        </div>
      </div>
      <p className="dr-secret-hint">
        {custom && value.secretLevel > 0 && (
          <>
            <span className="k-input dr-secret-count">
              <input
                aria-label={t('drive.secret.count')}
                inputMode="numeric"
                value={typed}
                onChange={({ target }) => count(target.value, unit)}
              />
            </span>
            <Select
              label={t('drive.secret.unit')}
              size="small"
              value={unit}
              options={units.map((one) => ({ value: one, label: t(`drive.secret.unit.${one}`) }))}
              onChange={(one) => count(typed, one)}
            />
          </>
        )}
        {ends}
      </p>
    </>
  )
}

/** Shows the choice as two fields. */
export function LevelChoiceFields({ value, onChange, label }: ChoiceProps & { readonly label: string }): ReactNode {
  const t = useT()
  const own = useSession().account.secretLevel
  const levels = useLevels()
  const terms = isPreset(value) ? secretPresets : [...secretPresets, value]
  const keyOf = ({ duration, unit }: Pick<SecretChoice, 'duration' | 'unit'>): string => `${duration} ${unit}`
  return (
    <span className="dr-secret-line">
      <LevelSign colour={levels[value.secretLevel]?.colour ?? 'grey'} />
      <Select
        label={`${label}: ${t('drive.secret.level')}`}
        size="small"
        value={value.secretLevel}
        options={levels.map(({ level, name }) => ({ value: level, label: name, disabled: level > own }))}
        onChange={(secretLevel) => onChange({ ...value, secretLevel })}
      />
      <Select
        label={`${label}: ${t('drive.secret.keeps')}`}
        size="small"
        value={keyOf(value)}
        disabled={value.secretLevel === 0}
        options={terms.map((term) => ({ value: keyOf(term), label: durationText(t, term) }))}
        onChange={(key) => {
          const term = terms.find((one) => keyOf(one) === key)
          if (term !== undefined) onChange({ ...value, duration: term.duration, unit: term.unit })
        }}
      />
    </span>
  )
}
