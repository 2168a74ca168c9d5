// The fields of one rule for sensitive content.

import { type RuleFault } from '@cloudoc/contract'
import { type NumberPattern, numberPatterns, sensitiveActions } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { Button } from '../../kit/button.tsx'
import { RemovableChip } from '../../kit/chips.tsx'
import { Checkbox, TextField } from '../../kit/fields.tsx'
import { Select } from '../../kit/select.tsx'
import { useLevels } from '../../organisation/index.ts'
import { type EditedRule, pickReviewers } from './edited-rule.ts'
import { sensitiveRules } from './sensitive-queries.ts'

interface RuleFormProps {
  readonly rule: EditedRule
  readonly faults: readonly RuleFault[]
  readonly onChange: (part: Partial<EditedRule>) => void
}

/** What is wrong with a field. */
function Faults({ faults, field }: { readonly faults: readonly RuleFault[]; readonly field: RuleFault['field'] }) {
  const t = useT()
  return faults
    .filter((one) => one.field === field)
    .map(({ what, part, at, index }) => (
      <p key={`${index} ${what}`} className="sn-problem" role="alert">
        {field === 'name' ? t('sensitive.fault.name') : t(`sensitive.fault.${what}`, { part, at: at + 1 })}
      </p>
    ))
}

interface LinesProps {
  readonly label: string
  readonly help: string
  readonly value: readonly string[]
  readonly onChange: (lines: readonly string[]) => void
}

/** A list with one entry per line. The text stays as typed. */
function Lines({ label, help, value, onChange }: LinesProps): ReactNode {
  const [typed, setTyped] = useState(() => value.join('\n'))
  return (
    <>
      <textarea
        aria-label={label}
        value={typed}
        spellCheck={false}
        onChange={({ target }) => {
          setTyped(target.value)
          onChange(target.value.split(/[\n\t]/).filter((line) => line.trim() !== ''))
        }}
      />
      <small className="sn-muted">{help}</small>
    </>
  )
}

interface NumberFieldProps {
  readonly label: string
  readonly value: number
  readonly onChange: (value: number) => void
}

function NumberField({ label, value, onChange }: NumberFieldProps): ReactNode {
  return (
    <label className="sn-row">
      <small className="sn-muted">{label}</small>
      <input
        type="number"
        min={1}
        max={100_000}
        value={value}
        onChange={({ target }) => onChange(Math.min(100_000, Math.max(1, Math.round(Number(target.value)) || 1)))}
      />
    </label>
  )
}

export function RuleForm({ rule, faults, onChange }: RuleFormProps): ReactNode {
  const t = useT()
  const levels = useLevels().map((name, level) => ({ level, name }))
  const pick = async (): Promise<void> => {
    const next = await pickReviewers(t('sensitive.admin.reviewers.pick'), t('sensitive.admin.ok'), rule.reviewers)
    if (next !== undefined) onChange({ reviewers: next })
  }
  return (
    <>
      <TextField
        label={t('sensitive.admin.name')}
        value={rule.name}
        maxLength={60}
        problem={faults.some(({ field }) => field === 'name') ? t('sensitive.fault.name') : undefined}
        onChange={({ target }) => onChange({ name: target.value })}
      />
      <Faults faults={faults} field="nothing" />
      <Patterns rule={rule} onChange={onChange} />
      <fieldset>
        <legend>{t('sensitive.admin.words')}</legend>
        <Lines
          label={t('sensitive.admin.words')}
          help={t('sensitive.admin.words.more')}
          value={rule.words}
          onChange={(words) => onChange({ words: [...words] })}
        />
        <Faults faults={faults} field="words" />
        <NumberField
          label={t('sensitive.admin.wordsAtLeast')}
          value={rule.wordsAtLeast}
          onChange={(wordsAtLeast) => onChange({ wordsAtLeast })}
        />
        {(['pinyin', 'wholeWords', 'separators'] as const).map((one) => (
          <Checkbox
            key={one}
            label={t(`sensitive.admin.${one}`)}
            checked={rule[one]}
            onChange={({ target }) => onChange({ [one]: target.checked })}
          />
        ))}
      </fieldset>
      <fieldset>
        <legend>{t('sensitive.admin.expressions')}</legend>
        <Lines
          label={t('sensitive.admin.expressions')}
          help={t('sensitive.admin.expressions.more')}
          value={rule.expressions}
          onChange={(expressions) => onChange({ expressions: [...expressions] })}
        />
        <Faults faults={faults} field="expressions" />
        <NumberField
          label={t('sensitive.admin.atLeast')}
          value={rule.expressionsAtLeast}
          onChange={(expressionsAtLeast) => onChange({ expressionsAtLeast })}
        />
      </fieldset>
      <fieldset>
        <legend>{t('sensitive.admin.names')}</legend>
        <Lines
          label={t('sensitive.admin.names')}
          help={t('sensitive.admin.names.more')}
          value={rule.names}
          onChange={(names) => onChange({ names: [...names] })}
        />
        <Faults faults={faults} field="names" />
      </fieldset>
      <Select
        label={t('sensitive.admin.match')}
        showLabel
        value={rule.matchAll ? 'all' : 'any'}
        options={(['any', 'all'] as const).map((value) => ({ value, label: t(`sensitive.admin.match.${value}`) }))}
        onChange={(value) => onChange({ matchAll: value === 'all' })}
      />
      <Scope rule={rule} onChange={onChange} levels={levels} />
      <fieldset>
        <legend>{t('sensitive.admin.action')}</legend>
        {sensitiveActions.map((action) => (
          <label key={action} className="sn-row">
            <input
              type="radio"
              name="sensitive-action"
              checked={rule.action === action}
              onChange={() => onChange({ action })}
            />
            <b>{t(`sensitive.action.${action}`)}</b>
            <small className="sn-muted">{t(`sensitive.admin.action.${action}`)}</small>
          </label>
        ))}
        <Select
          label={t('sensitive.admin.raise')}
          showLabel
          value={rule.raiseTo}
          options={[
            { value: 0, label: t('sensitive.admin.raise.0') },
            ...levels.filter(({ level }) => level > 0).map(({ level, name }) => ({ value: level, label: name })),
          ]}
          onChange={(raiseTo) => onChange({ raiseTo })}
        />
        <Select
          label={t('sensitive.admin.uninspected')}
          showLabel
          value={rule.uninspected}
          options={[
            { value: 'none', label: t('sensitive.admin.uninspected.none') },
            ...sensitiveActions.map((value) => ({ value, label: t(`sensitive.action.${value}`) })),
          ]}
          onChange={(uninspected) => onChange({ uninspected })}
        />
      </fieldset>
      <fieldset>
        <legend>{t('sensitive.admin.reviewers')}</legend>
        <span className="sn-row">
          {rule.reviewers.map((one) => (
            <RemovableChip
              key={`${one.subjectType} ${one.subjectId}`}
              text={one.name}
              removeLabel={t('sensitive.admin.remove', { name: one.name })}
              onRemove={() => onChange({ reviewers: rule.reviewers.filter((other) => other !== one) })}
            />
          ))}
          <Button size="small" onClick={() => void pick().catch(notifyFailure)}>
            {t('sensitive.admin.reviewers.add')}
          </Button>
        </span>
      </fieldset>
    </>
  )
}

function Patterns({ rule, onChange }: Pick<RuleFormProps, 'rule' | 'onChange'>): ReactNode {
  const t = useT()
  const set = (pattern: NumberPattern, atLeast: number | undefined): void => {
    const others = rule.patterns.filter((one) => one.pattern !== pattern)
    onChange({ patterns: atLeast === undefined ? others : [...others, { pattern, atLeast }] })
  }
  return (
    <fieldset>
      <legend>{t('sensitive.admin.patterns')}</legend>
      {numberPatterns.map((pattern) => {
        const chosen = rule.patterns.find((one) => one.pattern === pattern)
        return (
          <span key={pattern} className="sn-row">
            <Checkbox
              label={t(`sensitive.part.${pattern}`)}
              checked={chosen !== undefined}
              onChange={({ target }) => set(pattern, target.checked ? 1 : undefined)}
            />
            <small className="sn-muted">{t(`sensitive.admin.pattern.${pattern}`)}</small>
            {chosen !== undefined && (
              <NumberField
                label={t('sensitive.admin.atLeast')}
                value={chosen.atLeast}
                onChange={(atLeast) => set(pattern, atLeast)}
              />
            )}
          </span>
        )
      })}
    </fieldset>
  )
}

interface ScopeProps extends Pick<RuleFormProps, 'rule' | 'onChange'> {
  readonly levels: readonly { readonly level: number; readonly name: string }[]
}

/** Where a rule applies: kinds of files, libraries, personal documents, secret levels. */
function Scope({ rule, onChange, levels }: ScopeProps): ReactNode {
  const t = useT()
  const { data } = useQuery(sensitiveRules())
  const libraries = data?.libraries ?? []
  const [types, setTypes] = useState(() => rule.types.join(' '))
  const [which, setWhich] = useState<'all' | 'some' | 'except'>(
    rule.libraryIds.length > 0 ? 'some' : rule.exceptIds.length > 0 ? 'except' : 'all',
  )
  const ids = which === 'some' ? rule.libraryIds : rule.exceptIds
  const setIds = (next: number[]): void => onChange(which === 'some' ? { libraryIds: next } : { exceptIds: next })
  return (
    <fieldset>
      <legend>{t('sensitive.admin.scope')}</legend>
      <TextField
        label={t('sensitive.admin.types')}
        help={t('sensitive.admin.types.more')}
        value={types}
        onChange={({ target }) => {
          setTypes(target.value)
          onChange({ types: target.value.split(/[\s,，、]+/).filter((one) => one !== '') })
        }}
      />
      <Select
        label={t('sensitive.admin.scope')}
        value={which}
        options={(['all', 'some', 'except'] as const).map((value) => ({
          value,
          label: t(`sensitive.admin.scope.${value}`),
        }))}
        onChange={(value) => {
          setWhich(value)
          onChange({ libraryIds: [], exceptIds: [] })
        }}
      />
      {which !== 'all' &&
        libraries.map(({ libraryId, name }) => (
          <Checkbox
            key={libraryId}
            label={name}
            checked={ids.includes(libraryId)}
            onChange={({ target }) =>
              setIds(target.checked ? [...ids, libraryId] : ids.filter((one) => one !== libraryId))
            }
          />
        ))}
      <Checkbox
        label={t('sensitive.admin.personal')}
        checked={rule.personal}
        onChange={({ target }) => onChange({ personal: target.checked })}
      />
      <small className="sn-muted">
        {t('sensitive.admin.levels')}：{rule.levels.length === 0 && t('sensitive.admin.levels.all')}
      </small>
      <span className="sn-row">
        {[{ level: 0, name: t('sensitive.admin.level.0') }, ...levels.filter(({ level }) => level > 0)].map(
          ({ level, name }) => (
            <Checkbox
              key={level}
              label={name}
              checked={rule.levels.includes(level)}
              onChange={({ target }) =>
                onChange({
                  levels: target.checked ? [...rule.levels, level] : rule.levels.filter((one) => one !== level),
                })
              }
            />
          ),
        )}
      </span>
    </fieldset>
  )
}
