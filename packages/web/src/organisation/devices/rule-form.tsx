// The fields of one access rule.
import { type ReactNode, useId } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { Button } from '../../kit/button.tsx'
import { Checkbox, TextField } from '../../kit/fields.tsx'
import { Select } from '../../kit/select.tsx'
import type { Rule } from './rules.ts'

const clients = ['web', 'desktop', 'mobile', 'program'] as const
const deviceKinds = ['any', 'approved', 'unapproved'] as const
const actions = ['allow', 'secondFactor', 'readOnly', 'refuse'] as const
const weekdays = [1, 2, 3, 4, 5, 6, 7] as const

const textOf = (minute: number): string =>
  `${String(Math.floor(minute / 60) % 24).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
function minuteOf(text: string): number {
  const [hour = 0, minute = 0] = text.split(':').map(Number)
  return hour * 60 + minute
}

export function RuleForm(props: {
  readonly rule: Rule
  readonly onChange: (rule: Rule) => void
  readonly onRemove: () => void
}): ReactNode {
  const t = useT()
  const id = useId()
  const { secret_names: names } = useSession().serverSetting
  const { rule } = props
  const set = (change: Partial<Rule>): void => props.onChange({ ...rule, ...change })
  const levels = [t('access.anyLevel'), ...names].map((label, value) => ({ value, label }))
  return (
    <div className="ar-form">
      <TextField
        label={t('access.name')}
        value={rule.name}
        maxLength={60}
        onChange={({ target }) => set({ name: target.value })}
      />
      <Select
        label={t('access.level')}
        showLabel
        value={rule.minLevel}
        options={levels}
        onChange={(minLevel) => set({ minLevel })}
      />
      <div>
        <label htmlFor={`${id}-networks`}>{t('access.networks')}</label>
        <textarea
          id={`${id}-networks`}
          rows={3}
          value={rule.networks.join('\n')}
          onChange={({ target }) => set({ networks: target.value === '' ? [] : target.value.split('\n') })}
          onBlur={() => set({ networks: rule.networks.map((line) => line.trim()).filter((line) => line !== '') })}
        />
        <Checkbox
          label={t('access.outside')}
          checked={rule.outside}
          onChange={({ target }) => set({ outside: target.checked })}
        />
      </div>
      <Select
        label={t('access.devices')}
        showLabel
        value={rule.devices}
        options={deviceKinds.map((value) => ({ value, label: t(`access.devices.${value}`) }))}
        onChange={(devices) => set({ devices })}
      />
      <fieldset>
        <legend>{t('access.client')}</legend>
        <div className="ar-chips">
          {clients.map((client) => (
            <Checkbox
              key={client}
              label={t(`access.client.${client}`)}
              checked={rule.clients.includes(client)}
              onChange={({ target }) =>
                set({
                  clients: target.checked ? [...rule.clients, client] : rule.clients.filter((one) => one !== client),
                })
              }
            />
          ))}
        </div>
        <small>{t('access.clientHelp')}</small>
      </fieldset>
      <Checkbox
        label={t('access.hours')}
        checked={rule.hours !== null}
        onChange={({ target }) =>
          set({ hours: target.checked ? { days: [], from: 480, to: 1140, outside: true } : null })
        }
      />
      {rule.hours !== null && <Hours hours={rule.hours} onChange={(hours) => set({ hours })} />}
      <Select
        label={t('access.action')}
        showLabel
        value={rule.action}
        options={actions.map((value) => ({ value, label: t(`access.action.${value}`) }))}
        onChange={(action) => set({ action })}
      />
      <div>
        <Button kind="danger" onClick={props.onRemove}>
          {t('access.remove')}
        </Button>
      </div>
    </div>
  )
}

type HoursOfRule = NonNullable<Rule['hours']>

function Hours({
  hours,
  onChange,
}: {
  readonly hours: HoursOfRule
  readonly onChange: (hours: HoursOfRule) => void
}): ReactNode {
  const t = useT()
  return (
    <>
      <div className="ar-chips">
        {weekdays.map((day) => (
          <Checkbox
            key={day}
            label={t(`access.day.${day}`)}
            checked={hours.days.includes(day)}
            onChange={({ target }) =>
              onChange({
                ...hours,
                days: target.checked
                  ? [...hours.days, day].toSorted((a, b) => a - b)
                  : hours.days.filter((one) => one !== day),
              })
            }
          />
        ))}
      </div>
      <div className="ar-chips">
        {(['from', 'to'] as const).map((end) => (
          <TextField
            key={end}
            type="time"
            label={t(`access.${end}`)}
            value={textOf(hours[end])}
            onChange={({ target }) => target.value !== '' && onChange({ ...hours, [end]: minuteOf(target.value) })}
          />
        ))}
        <Checkbox
          label={t('access.outsideHours')}
          checked={hours.outside}
          onChange={({ target }) => onChange({ ...hours, outside: target.checked })}
        />
      </div>
    </>
  )
}
