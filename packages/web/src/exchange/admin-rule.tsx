// One rule of the exchange: who may send what from where to which network, and who approves it at each secret level.
import type { ExchangeRule, features, Input as InputOf } from '@cloudoc/contract'
import { type ReactNode, useState } from 'react'
import { api, CallError } from '../core/call/api.ts'
import { type Translate, useT } from '../core/i18n/i18n.ts'
import { openWindow, type WindowProps } from '../core/windows/index.ts'
import { notifyFailure } from '../items/actions/operations.ts'
import { Button } from '../kit/button.tsx'
import { RemovableChip } from '../kit/chips.tsx'
import { DialogBody, DialogFooter } from '../kit/dialog.tsx'
import { Checkbox } from '../kit/fields.tsx'
import { Select } from '../kit/select.tsx'
import { Field, Input, useLevels } from '../organisation/index.ts'
import { type Subject, SubjectField } from '../people/index.ts'
import { refetchExchange } from './exchange-queries.ts'
import type { RuleProps } from './window-props.ts'
import './exchange-texts.ts'
import './exchange.css'

type RuleInput = InputOf<(typeof features.exchangeRules.calls)['setExchangeRule']>

/** A stored rule as the server takes it. */
export function toRuleInput({ subjects, items, levels, ...rule }: ExchangeRule): RuleInput {
  return {
    ...rule,
    subjects: subjects.map(({ subjectType, subjectId }) => ({ subjectType, subjectId })),
    itemIds: items.map(({ fId }) => fId),
    levels: levels.map(({ level, isFree, rounds }) => ({
      ...{ level, isFree },
      rounds: rounds.map(({ by, ids, needs }) => ({ by, ids, needs })),
    })),
  }
}

interface Round {
  readonly key: number
  readonly by: ExchangeRule['levels'][number]['rounds'][number]['by']
  readonly needs: 'any' | 'all'
  readonly who: readonly Subject[]
}
interface Level {
  readonly isFree: boolean
  readonly rounds: readonly Round[]
}

const mostRounds = 5
const steps = ['superior', 'owner', 'managers', 'people', 'role'] as const
let keys = 0

const levelOf = (rule: ExchangeRule | undefined, level: number): Level => {
  const found = rule?.levels.find((one) => one.level === level)
  return {
    isFree: found?.isFree ?? false,
    rounds: (found?.rounds ?? []).map(({ by, needs, names }) => ({
      ...{ by, needs, key: (keys += 1) },
      who: names.map(({ id, name }) => ({ type: by === 'role' ? 'role' : 'user', id, name })),
    })),
  }
}
const isEmpty = ({ isFree, rounds }: Level): boolean =>
  !isFree &&
  (rounds.length === 0 || rounds.some(({ by, who }) => (by === 'people' || by === 'role') && who.length === 0))
const listOf = (text: string): string[] => text.split(/[\s,，、;；]+/).filter((one) => one !== '')

/** A whole number, or undefined. */
const numberOf = (text: string): number | undefined => {
  const value = text.trim() === '' ? 0 : Number(text)
  return Number.isInteger(value) && value >= 0 ? value : undefined
}

/** What is entered in the window. */
const formOf = (rule: ExchangeRule | undefined, networks: RuleProps['networks']) => ({
  name: rule?.name ?? '',
  targetServerCode: rule?.targetServerCode ?? networks[0]?.targetServerCode ?? '',
  everybody: rule?.subjects.some(({ subjectType }) => subjectType === 'everybody') ?? false,
  whom: (rule?.subjects ?? []).flatMap(({ subjectType, subjectId, subjectName }): Subject[] =>
    subjectType === 'everybody' ? [] : [{ type: subjectType, id: subjectId, name: subjectName }],
  ) as readonly Subject[],
  items: rule?.items ?? [],
  receivers: (rule?.receivers ?? []).join('、'),
  exts: (rule?.exts ?? []).join(' '),
  maxLevel: rule?.maxLevel ?? 0,
  maxFiles: String(rule?.maxFiles ?? 0),
  maxMb: String(Math.round((rule?.maxBytes ?? 0) / 1_048_576)),
  requirePwd: rule?.requirePwd ?? false,
  hours: String(rule?.hours ?? 48),
  atDeadline: rule?.atDeadline ?? ('wait' as const),
})

type Form = ReturnType<typeof formOf>

/** A level by its name, with what is entered for it. */
interface ShownLevel {
  readonly name: string
  readonly level: number
  readonly value: Level
}

/** The rule as the server takes it, or what is missing. */
function inputOf(
  t: Translate,
  rule: ExchangeRule | undefined,
  form: Form,
  shown: readonly ShownLevel[],
): RuleInput | string {
  const [hours, maxFiles, maxMb] = [numberOf(form.hours), numberOf(form.maxFiles), numberOf(form.maxMb)]
  if (form.name.trim() === '') return t('exchange.rule.wrong.name')
  if (!form.everybody && form.whom.length === 0) return t('exchange.rule.wrong.whom')
  const empty = shown.find(({ level, value }) => level <= form.maxLevel && isEmpty(value))
  if (empty !== undefined) return t('exchange.rule.wrong.level', { name: empty.name })
  if (hours === undefined || maxFiles === undefined || maxMb === undefined) return t('exchange.rule.wrong.number')
  return {
    ...{ ruleId: rule?.ruleId ?? 0, name: form.name.trim(), isActive: rule?.isActive ?? true },
    ...{ until: rule?.until ?? null, targetServerCode: form.targetServerCode },
    subjects: form.everybody
      ? [{ subjectType: 'everybody', subjectId: 0 }]
      : form.whom.map(({ type, id }) => ({ subjectType: type, subjectId: id })),
    itemIds: form.items.map(({ fId }) => fId),
    receivers: form.receivers.split(/[,，、;；\n]+/).flatMap((one) => (one.trim() === '' ? [] : [one.trim()])),
    ...{ exts: listOf(form.exts), maxLevel: form.maxLevel, maxFiles, maxBytes: maxMb * 1_048_576 },
    ...{ requirePwd: form.requirePwd, hours, atDeadline: form.atDeadline },
    levels: shown
      .filter(({ level }) => level <= form.maxLevel)
      .map(({ level, value }) => ({
        ...{ level, isFree: value.isFree },
        rounds: value.isFree
          ? []
          : value.rounds.map(({ by, needs, who }) => ({
              ...{ by, needs },
              ids: by === 'people' || by === 'role' ? who.map(({ id }) => id) : [],
            })),
      })),
  }
}

export function ExchangeRuleWindow({
  rule,
  networks,
  libraries,
  close,
  setDirty,
}: WindowProps<RuleProps, boolean>): ReactNode {
  const t = useT()
  const names = useLevels()
  const [form, setForm] = useState(() => formOf(rule, networks))
  const [levels, setLevels] = useState<readonly Level[]>(() =>
    Array.from({ length: Math.max(names.length, (rule?.maxLevel ?? 0) + 1) }, (_, level) => levelOf(rule, level)),
  )
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const touched = (): void => {
    setProblem('')
    setDirty(true)
  }
  const set = (change: Partial<typeof form>): void => {
    setForm({ ...form, ...change })
    touched()
  }
  const shown = names.map((name, level) => ({ name, level, value: levels[level] ?? levelOf(undefined, level) }))
  const save = async (): Promise<void> => {
    const wanted = inputOf(t, rule, form, shown)
    if (typeof wanted === 'string') return setProblem(wanted)
    setBusy(true)
    try {
      await api.setExchangeRule(wanted, { quiet: true })
      refetchExchange()
      setDirty(false)
      close(true)
    } catch (failure) {
      if (!(failure instanceof CallError)) throw failure
      setProblem(failure.message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <DialogBody>
        <div className="ex-form">
          <Field label={t('exchange.rule.name')}>
            <Input
              label={t('exchange.rule.name')}
              value={form.name}
              maxLength={100}
              onChange={({ target }) => set({ name: target.value })}
            />
          </Field>
          <Field label={t('exchange.network')}>
            <Select
              label={t('exchange.network')}
              value={form.targetServerCode}
              options={networks.map(({ targetServerCode, targetName }) => ({
                value: targetServerCode,
                label: targetName,
              }))}
              onChange={(targetServerCode) => set({ targetServerCode })}
            />
          </Field>
          <Field label={t('exchange.rule.whom')}>
            <Checkbox
              label={t('exchange.everybody')}
              checked={form.everybody}
              onChange={({ target }) => set({ everybody: target.checked })}
            />
            {!form.everybody && (
              <SubjectField label={t('exchange.rule.whom')} chosen={form.whom} onChange={(whom) => set({ whom })} />
            )}
          </Field>
          <Where libraries={libraries} items={form.items} onChange={(items) => set({ items })} />
          <Field label={t('exchange.column.receivers')} help={t('exchange.rule.receivers.more')}>
            <Input
              label={t('exchange.column.receivers')}
              value={form.receivers}
              onChange={({ target }) => set({ receivers: target.value })}
            />
          </Field>
          <Field label={t('exchange.rule.exts')} help={t('exchange.rule.exts.more')}>
            <Input
              label={t('exchange.rule.exts')}
              value={form.exts}
              onChange={({ target }) => set({ exts: target.value })}
            />
          </Field>
          <Limits form={form} onChange={set} />
          <Field label={t('exchange.rule.maxLevel')}>
            <Select
              label={t('exchange.rule.maxLevel')}
              value={form.maxLevel}
              options={names.map((label, value) => ({ value, label }))}
              onChange={(maxLevel) => set({ maxLevel })}
            />
          </Field>
          <Field label={t('exchange.rule.approval')} help={t('exchange.rule.approval.more')}>
            {shown
              .filter(({ level }) => level <= form.maxLevel)
              .map(({ name, level, value }) => (
                <LevelFields
                  key={level}
                  name={name}
                  value={value}
                  isBad={problem !== '' && isEmpty(value)}
                  onChange={(next) => {
                    setLevels(shown.map((one) => (one.level === level ? next : one.value)))
                    touched()
                  }}
                />
              ))}
          </Field>
          <Field label={t('exchange.rule.hours')} help={t('exchange.rule.hours.more')}>
            <div className="ex-row">
              <Input
                label={t('exchange.rule.hours')}
                inputMode="numeric"
                value={form.hours}
                onChange={({ target }) => set({ hours: target.value })}
              />
              <Select
                label={t('exchange.rule.late')}
                value={form.atDeadline}
                options={(['wait', 'reject', 'managers'] as const).map((value) => ({
                  value,
                  label: t(`exchange.rule.late.${value}`),
                }))}
                onChange={(atDeadline) => set({ atDeadline })}
              />
            </div>
          </Field>
        </div>
      </DialogBody>
      <DialogFooter>
        {problem !== '' && (
          <span className="k-problem" role="alert">
            {problem}
          </span>
        )}
        <Button onClick={() => close()}>{t('drive.cancel')}</Button>
        <Button kind="primary" disabled={busy} onClick={() => void save()}>
          {t('exchange.save')}
        </Button>
      </DialogFooter>
    </>
  )
}

interface LimitsProps {
  readonly form: Form
  readonly onChange: (change: Partial<Form>) => void
}

/** How much may be sent at once, and whether with a password. */
function Limits({ form, onChange }: LimitsProps): ReactNode {
  const t = useT()
  return (
    <Field label={t('exchange.rule.limits')} help={t('exchange.rule.limits.more')}>
      <div className="ex-row">
        <Input
          label={t('exchange.rule.files')}
          inputMode="numeric"
          value={form.maxFiles}
          onChange={({ target }) => onChange({ maxFiles: target.value })}
        />
        <span>{t('exchange.rule.files')}</span>
        <Input
          label={t('exchange.rule.mb')}
          inputMode="numeric"
          value={form.maxMb}
          onChange={({ target }) => onChange({ maxMb: target.value })}
        />
        <span>MB</span>
      </div>
      <Checkbox
        label={t('exchange.rule.password')}
        checked={form.requirePwd}
        onChange={({ target }) => onChange({ requirePwd: target.checked })}
      />
    </Field>
  )
}

interface WhereProps extends Pick<RuleProps, 'libraries'> {
  readonly items: ExchangeRule['items']
  readonly onChange: (items: ExchangeRule['items']) => void
}

function Where({ libraries, items, onChange }: WhereProps): ReactNode {
  const t = useT()
  const add = (added: ExchangeRule['items']): void =>
    onChange([...items, ...added.filter(({ fId }) => !items.some((one) => one.fId === fId))])
  const pick = async (): Promise<void> => {
    const picked = await openWindow('drive-item-pick', {
      ...{ title: t('exchange.rule.where'), hint: '', what: 'folders', multiple: true },
    })
    if (picked !== undefined) add(picked.map(({ fId, fName }) => ({ fId, fName })))
  }
  const left = libraries.filter(({ libraryId }) => !items.some(({ fId }) => fId === libraryId))
  return (
    <Field label={t('exchange.rule.where')} help={t('exchange.rule.where.more')}>
      <div className="ex-row">
        {items.map((one) => (
          <RemovableChip
            key={one.fId}
            text={one.fName}
            removeLabel={t('exchange.take', { name: one.fName })}
            onRemove={() => onChange(items.filter((other) => other !== one))}
          />
        ))}
        {left.length > 0 && (
          <Select
            label={t('exchange.rule.library')}
            size="small"
            value={0}
            options={[
              { value: 0, label: t('exchange.rule.library') },
              ...left.map(({ libraryId, name }) => ({ value: libraryId, label: name })),
            ]}
            onChange={(id) =>
              add(left.filter(({ libraryId }) => libraryId === id).map(({ name }) => ({ fId: id, fName: name })))
            }
          />
        )}
        <Button size="small" onClick={() => void pick().catch(notifyFailure)}>
          {t('exchange.rule.folder')}
        </Button>
      </div>
    </Field>
  )
}

interface LevelProps {
  readonly name: string
  readonly value: Level
  readonly isBad: boolean
  readonly onChange: (value: Level) => void
}

/** Who approves exchanges of one secret level, step by step. */
function LevelFields({ name, value, isBad, onChange }: LevelProps): ReactNode {
  const t = useT()
  const { isFree, rounds } = value
  const setRound = (key: number, change: Partial<Round>): void =>
    onChange({ ...value, rounds: rounds.map((one) => (one.key === key ? { ...one, ...change } : one)) })
  return (
    <fieldset className="ex-level" aria-label={name} data-bad={isBad || undefined}>
      <span className="ex-row">
        <b>{name}</b>
        <Checkbox
          label={t('exchange.rule.free')}
          checked={isFree}
          onChange={({ target }) => onChange({ ...value, isFree: target.checked })}
        />
      </span>
      {!isFree &&
        rounds.map((round, n) => (
          <div key={round.key} className="ex-row">
            <span>{n + 1}</span>
            <Select
              label={t('exchange.rule.by')}
              size="small"
              value={round.by}
              options={steps.map((one) => ({ value: one, label: t(`exchange.rule.by.${one}`) }))}
              onChange={(by) => setRound(round.key, { by, who: [] })}
            />
            <Select
              label={t('exchange.rule.needs')}
              size="small"
              value={round.needs}
              options={(['any', 'all'] as const).map((one) => ({ value: one, label: t(`exchange.rule.needs.${one}`) }))}
              onChange={(needs) => setRound(round.key, { needs })}
            />
            {(round.by === 'people' || round.by === 'role') && (
              <SubjectField
                key={round.by}
                label={t(`exchange.rule.by.${round.by}`)}
                types={round.by === 'role' ? 'role' : 'user'}
                chosen={round.who}
                onChange={(who) => setRound(round.key, { who })}
              />
            )}
            <Button
              size="small"
              onClick={() => onChange({ ...value, rounds: rounds.filter(({ key }) => key !== round.key) })}
            >
              {t('exchange.rule.step.remove')}
            </Button>
          </div>
        ))}
      {!isFree && rounds.length < mostRounds && (
        <Button
          size="small"
          onClick={() =>
            onChange({ ...value, rounds: [...rounds, { key: (keys += 1), by: 'superior', needs: 'any', who: [] }] })
          }
        >
          {t('exchange.rule.step.add')}
        </Button>
      )}
    </fieldset>
  )
}
