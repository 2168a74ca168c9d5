// One rule for downloads or links: whom it applies to, where, who reviews, until when, and what needs no reviewer.
import type { OperationRule } from '@cloudoc/contract'
import { type ReactNode, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { type Translate, useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow, type WindowProps } from '../../core/windows/index.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { Button } from '../../kit/button.tsx'
import { RemovableChip } from '../../kit/chips.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { Checkbox } from '../../kit/fields.tsx'
import { Select } from '../../kit/select.tsx'
import { Field, Input, useLevels } from '../../organisation/index.ts'
import { type Subject, SubjectField, subjectKey } from '../../people/index.ts'
import { type RuleInput, refetchRules } from './operation-queries.ts'
import './operations.css'

export interface OperationRuleProps {
  /** The rule to change. Without it, a new one is created. */
  readonly rule?: OperationRule
  /** The libraries that a rule can name. */
  readonly libraries: readonly { readonly libraryId: number; readonly name: string }[]
}

type Stored = OperationRule['rounds'][number]
interface Round extends Pick<Stored, 'by' | 'needs' | 'fromLevel'> {
  readonly who: readonly Subject[]
  /** Rounds can be removed, so their place does not identify them. */
  readonly key: number
}

const mostRounds = 5
const mostHours = 24 * 90
const mostFiles = 1000

const subjectsOf = (rule: OperationRule | undefined, exempt: boolean): readonly Subject[] =>
  (rule?.subjects ?? []).flatMap(({ subjectType, subjectId, subjectName, isExempt }) =>
    isExempt === exempt && subjectType !== 'everybody' ? [{ type: subjectType, id: subjectId, name: subjectName }] : [],
  )

const roundsOf = (rule: OperationRule | undefined): readonly Round[] =>
  (rule?.rounds ?? [{ by: 'managers', needs: 'one', fromLevel: 0, names: [], ids: [] } as const]).map(
    ({ by, needs, fromLevel, names }, key) => ({
      ...{ by, needs, fromLevel, key },
      who: names.map(({ id, name }) => ({ type: by === 'role' ? 'role' : 'user', id, name })),
    }),
  )

/** A whole number between 0 and `most`, or undefined. */
function numberOf(text: string, most: number): number | undefined {
  const value = text.trim() === '' ? 0 : Number(text)
  return Number.isInteger(value) && value >= 0 && value <= most ? value : undefined
}

/** What is entered in the window. */
const formOf = (rule: OperationRule | undefined) => ({
  name: rule?.name ?? '',
  operation: rule?.operation ?? ('download' as const),
  everybody:
    rule === undefined || rule.subjects.some(({ subjectType, isExempt }) => subjectType === 'everybody' && !isExempt),
  whom: subjectsOf(rule, false),
  exempt: subjectsOf(rule, true),
  items: rule?.items ?? [],
  bindsHolders: rule?.bindsHolders ?? true,
  mayChoose: rule?.mayChoose ?? true,
  hours: String(rule?.hours ?? 24),
  atDeadline: rule?.atDeadline ?? ('wait' as const),
  autoFiles: String(rule?.autoFiles ?? 0),
  autoLevel: rule?.autoLevel ?? 0,
  autoOwnDepartment: rule?.autoOwnDepartment ?? true,
})

type Form = ReturnType<typeof formOf>

/** The rule as the server takes it, or what is missing. */
function inputOf(
  t: Translate,
  rule: OperationRule | undefined,
  form: Form,
  rounds: readonly Round[],
): RuleInput | string {
  const [hours, autoFiles] = [numberOf(form.hours, mostHours), numberOf(form.autoFiles, mostFiles)]
  if (form.name.trim() === '') return t('operations.wrong.name')
  if (!form.everybody && form.whom.length === 0) return t('operations.wrong.whom')
  const empty = rounds.findIndex(({ by, who }) => (by === 'people' || by === 'role') && who.length === 0)
  if (empty >= 0) return t('operations.wrong.round', { n: empty + 1 })
  if (hours === undefined) return t('operations.wrong.hours')
  if (autoFiles === undefined) return t('operations.wrong.files')
  const named = (list: readonly Subject[], isExempt: boolean) =>
    list.map(({ type, id }) => ({ subjectType: type, subjectId: id, isExempt }))
  return {
    ...{ ruleId: rule?.ruleId ?? 0, name: form.name.trim(), operation: form.operation },
    ...{ isActive: rule?.isActive ?? true, bindsHolders: form.bindsHolders, mayChoose: form.mayChoose },
    ...{ hours, atDeadline: form.atDeadline },
    ...{ autoFiles, autoLevel: form.autoLevel, autoOwnDepartment: form.autoOwnDepartment },
    subjects: [
      ...(form.everybody
        ? [{ subjectType: 'everybody' as const, subjectId: 0, isExempt: false }]
        : named(form.whom, false)),
      ...named(form.exempt, true),
    ],
    itemIds: form.items.map(({ fId }) => fId),
    rounds: rounds.map(({ by, who, needs, fromLevel }) => ({
      ...{ by, needs, fromLevel },
      ids: by === 'people' || by === 'role' ? who.map(({ id }) => id) : [],
    })),
  }
}

export function OperationRuleWindow({
  rule,
  libraries,
  close,
  setDirty,
}: WindowProps<OperationRuleProps, boolean>): ReactNode {
  const t = useT()
  const [form, setForm] = useState(() => formOf(rule))
  const [rounds, setRounds] = useState(() => roundsOf(rule))
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const set = (change: Partial<typeof form>): void => {
    setForm({ ...form, ...change })
    setProblem(undefined)
    setDirty(true)
  }
  const setRound = (key: number, change: Partial<Round>): void => {
    setRounds(rounds.map((one) => (one.key === key ? { ...one, ...change } : one)))
    setProblem(undefined)
    setDirty(true)
  }
  const save = async (): Promise<void> => {
    const wanted = inputOf(t, rule, form, rounds)
    if (typeof wanted === 'string') return setProblem(wanted)
    setBusy(true)
    try {
      await api.setOperationRule(wanted)
      toast({ kind: 'success', text: t('operations.saved', { name: wanted.name }) })
      refetchRules()
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
        <div className="or-form">
          <Field label={t('operations.name')}>
            <Input
              label={t('operations.name')}
              value={form.name}
              maxLength={100}
              onChange={({ target }) => set({ name: target.value })}
            />
          </Field>
          <Field label={t('operations.operation')}>
            <Select
              label={t('operations.operation')}
              value={form.operation}
              options={(['download', 'link'] as const).map((value) => ({
                value,
                label: t(`operations.operation.${value}`),
              }))}
              onChange={(operation) => set({ operation })}
            />
          </Field>
          <Field label={t('operations.whom')}>
            <Checkbox
              label={t('operations.everybody')}
              checked={form.everybody}
              onChange={({ target }) => set({ everybody: target.checked })}
            />
            {!form.everybody && (
              <SubjectField label={t('operations.whom.add')} chosen={form.whom} onChange={(whom) => set({ whom })} />
            )}
          </Field>
          <Field label={t('operations.exempt')} help={t('operations.exempt.more')}>
            <SubjectField label={t('operations.exempt')} chosen={form.exempt} onChange={(exempt) => set({ exempt })} />
          </Field>
          <Where libraries={libraries} items={form.items} onChange={(items) => set({ items })} />
          {form.operation === 'download' && (
            <Field label="" help={t('operations.holders.more')}>
              <Checkbox
                label={t('operations.holders')}
                checked={form.bindsHolders}
                onChange={({ target }) => set({ bindsHolders: target.checked })}
              />
            </Field>
          )}
          <Field label={t('operations.rounds')}>
            <div className="op-rounds">
              {rounds.map((round, at) => (
                <RoundFields
                  key={round.key}
                  round={round}
                  at={at}
                  onChange={(change) => setRound(round.key, change)}
                  onRemove={
                    rounds.length === 1 ? undefined : () => setRounds(rounds.filter(({ key }) => key !== round.key))
                  }
                />
              ))}
              {rounds.length < mostRounds && (
                <Button
                  size="small"
                  onClick={() =>
                    setRounds([
                      ...rounds,
                      {
                        ...{ by: 'people', needs: 'one', fromLevel: 0, who: [] },
                        key: Math.max(...rounds.map(({ key }) => key)) + 1,
                      },
                    ])
                  }
                >
                  {t('operations.round.add')}
                </Button>
              )}
              <Checkbox
                label={t('operations.choose')}
                checked={form.mayChoose}
                onChange={({ target }) => set({ mayChoose: target.checked })}
              />
            </div>
          </Field>
          <Deadline form={form} onChange={set} />
          <Automatic form={form} onChange={set} />
        </div>
      </DialogBody>
      <DialogFooter>
        {problem !== undefined && (
          <span className="k-problem" role="alert">
            {problem}
          </span>
        )}
        <Button onClick={() => close(false)}>{t('operations.leave')}</Button>
        <Button kind="primary" disabled={busy} onClick={() => void save()}>
          {t('operations.save')}
        </Button>
      </DialogFooter>
    </>
  )
}

interface DeadlineProps {
  readonly form: Form
  readonly onChange: (change: Partial<Form>) => void
}

/** By when a round has to decide, and what happens then. */
function Deadline({ form, onChange }: DeadlineProps): ReactNode {
  const t = useT()
  return (
    <>
      <Field label={t('operations.deadline')} help={t('operations.deadline.more')}>
        <Input
          label={t('operations.deadline')}
          inputMode="numeric"
          value={form.hours}
          onChange={({ target }) => onChange({ hours: target.value })}
        />
      </Field>
      {form.hours.trim() !== '0' && form.hours.trim() !== '' && (
        <Field label={t('operations.late')}>
          <Select
            label={t('operations.late')}
            value={form.atDeadline}
            options={(['wait', 'reject', 'managers'] as const).map((value) => ({
              value,
              label: t(`operations.late.${value}`),
            }))}
            onChange={(atDeadline) => onChange({ atDeadline })}
          />
        </Field>
      )}
    </>
  )
}

interface WhereProps extends Pick<OperationRuleProps, 'libraries'> {
  readonly items: OperationRule['items']
  readonly onChange: (items: OperationRule['items']) => void
}

/** The libraries and folders of a rule. */
function Where({ libraries, items, onChange }: WhereProps): ReactNode {
  const t = useT()
  const add = (added: OperationRule['items']): void =>
    onChange([...items, ...added.filter(({ fId }) => !items.some((one) => one.fId === fId))])
  const pick = async (): Promise<void> => {
    const picked = await openWindow('drive-item-pick', {
      ...{ title: t('operations.where.pick'), hint: '', what: 'folders', multiple: true },
    })
    if (picked !== undefined) add(picked.map(({ fId, fName }) => ({ fId, fName })))
  }
  const left = libraries.filter(({ libraryId }) => !items.some(({ fId }) => fId === libraryId))
  return (
    <Field label={t('operations.where')} help={t('operations.where.more')}>
      <div className="op-lines">
        {items.length > 0 && (
          <span className="op-row">
            {items.map((one) => (
              <RemovableChip
                key={one.fId}
                text={one.fName}
                removeLabel={t('operations.remove.one', { name: one.fName })}
                onRemove={() => onChange(items.filter((other) => other !== one))}
              />
            ))}
          </span>
        )}
        <span className="op-row">
          {left.length > 0 && (
            <Select
              label={t('operations.where.library')}
              size="small"
              value={0}
              options={[
                { value: 0, label: t('operations.where.library') },
                ...left.map(({ libraryId, name }) => ({ value: libraryId, label: name })),
              ]}
              onChange={(id) =>
                add(left.filter(({ libraryId }) => libraryId === id).map(({ name }) => ({ fId: id, fName: name })))
              }
            />
          )}
          <Button size="small" onClick={() => void pick().catch(notifyFailure)}>
            {t('operations.where.folder')}
          </Button>
        </span>
      </div>
    </Field>
  )
}

interface RoundFieldsProps {
  readonly round: Round
  readonly at: number
  readonly onChange: (change: Partial<Round>) => void
  readonly onRemove: (() => void) | undefined
}

/** The reviewers of one round. */
function RoundFields({ round, at, onChange, onRemove }: RoundFieldsProps): ReactNode {
  const t = useT()
  const levels = useLevels()
  return (
    <fieldset className="op-round" aria-label={t('operations.round', { n: at + 1 })}>
      <span className="op-row">
        <b>{t('operations.round', { n: at + 1 })}</b>
        {onRemove !== undefined && (
          <Button size="small" onClick={onRemove} aria-label={t('operations.round.remove', { n: at + 1 })}>
            {t('operations.round.take')}
          </Button>
        )}
      </span>
      <span className="op-row">
        <Select
          label={t('operations.by')}
          size="small"
          value={round.by}
          options={(['managers', 'owner', 'people', 'role'] as const).map((value) => ({
            value,
            label: t(`operations.by.${value}`),
          }))}
          onChange={(by) => onChange({ by, who: [] })}
        />
        <Select
          label={t('operations.needs')}
          size="small"
          value={round.needs}
          options={(['one', 'all'] as const).map((value) => ({ value, label: t(`operations.needs.${value}`) }))}
          onChange={(needs) => onChange({ needs })}
        />
        <Select
          label={t('operations.level')}
          size="small"
          value={round.fromLevel}
          options={[
            { value: 0, label: t('operations.level.all') },
            ...levels.flatMap((name, level) =>
              level === 0 ? [] : [{ value: level, label: t('operations.level.from', { name }) }],
            ),
          ]}
          onChange={(fromLevel) => onChange({ fromLevel })}
        />
      </span>
      {(round.by === 'people' || round.by === 'role') && (
        <SubjectField
          key={round.by}
          label={t(`operations.by.${round.by}`)}
          types={round.by === 'role' ? 'role' : 'user'}
          chosen={round.who}
          onChange={(who) =>
            onChange({ who: who.filter((one, n) => who.findIndex((o) => subjectKey(o) === subjectKey(one)) === n) })
          }
        />
      )}
    </fieldset>
  )
}

interface AutomaticForm {
  readonly autoFiles: string
  readonly autoLevel: number
  readonly autoOwnDepartment: boolean
}
interface AutomaticProps {
  readonly form: AutomaticForm
  readonly onChange: (change: Partial<AutomaticForm>) => void
}

/** What is approved without a reviewer. */
function Automatic({ form, onChange }: AutomaticProps): ReactNode {
  const t = useT()
  const levels = useLevels()
  return (
    <>
      <Field label={t('operations.automatic')} help={t('operations.automatic.more')}>
        <Input
          label={t('operations.automatic.files')}
          inputMode="numeric"
          value={form.autoFiles}
          onChange={({ target }) => onChange({ autoFiles: target.value })}
        />
      </Field>
      {form.autoFiles.trim() !== '0' && form.autoFiles.trim() !== '' && (
        <Field label={t('operations.automatic.level')}>
          <div className="op-lines">
            <Select
              label={t('operations.automatic.level')}
              value={form.autoLevel}
              options={levels.map((label, value) => ({ value, label }))}
              onChange={(autoLevel) => onChange({ autoLevel })}
            />
            <Checkbox
              label={t('operations.automatic.own')}
              checked={form.autoOwnDepartment}
              onChange={({ target }) => onChange({ autoOwnDepartment: target.checked })}
            />
          </div>
        </Field>
      )}
    </>
  )
}
