/*
 * The rules for sensitive content ([R256], mock-p1-admin-sensitive): the list, one rule to change, a field to try it on a
 * text or a file before it is saved, the usual reviewers, and the check of the files that are there.
 */
import { type RuleFault, type SensitiveRule } from '@cloudoc/contract'
import { minuteTime, newSensitiveRule } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { SheetPicture } from '../../items/lists/list-states.tsx'
import { Button } from '../../kit/button.tsx'
import { RemovableChip, StatusChip } from '../../kit/chips.tsx'
import { SearchField } from '../../kit/filter-bar.tsx'
import { ListPage } from '../../kit/list-page.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { Switch } from '../../kit/switch.tsx'
import { refetchRequests } from '../review/review-queries.ts'
import { type EditedRule, type Named, pickReviewers, toInput } from './edited-rule.ts'
import { RuleForm } from './rule-form.tsx'
import { RuleTrial } from './rule-trial.tsx'
import { sensitiveRules } from './sensitive-queries.ts'
import './sensitive.css'

function editedOf({
  ruleId: _id,
  version: _version,
  changeTime: _time,
  recentHits: _hits,
  problem: _problem,
  ...rule
}: SensitiveRule): EditedRule {
  return rule
}

export function SensitiveRulesPage(): ReactNode {
  const t = useT()
  const { data, error, refetch } = useQuery({
    ...sensitiveRules(),
    // The progress of a check of all files.
    refetchInterval: (query) => (query.state.data?.run?.state === 'running' ? 2000 : false),
  })
  const [typed, setTyped] = useState('')
  /** The rule that is edited: a stored one, or 0 for a new one. */
  const [ruleId, setRuleId] = useState<number>()
  const [draft, setDraft] = useState<EditedRule>()
  const [faults, setFaults] = useState<readonly RuleFault[]>([])
  /** The second press deletes the rule. */
  const [isSure, setSure] = useState(false)
  const stored = data?.list.find((one) => one.ruleId === ruleId)
  const rule = draft ?? (stored === undefined ? undefined : editedOf(stored))
  const edit = (id: number | undefined, first?: EditedRule): void => {
    setRuleId(id)
    setDraft(first)
    setFaults([])
    setSure(false)
  }
  const save = (): void => {
    if (rule === undefined) return
    if (rule.name.trim() === '') {
      setFaults([{ field: 'name', index: 0, what: 'empty', part: '', at: 0 }])
      return
    }
    api
      .saveSensitiveRule({ ...(ruleId !== undefined && ruleId > 0 && { ruleId }), rule: toInput(rule) })
      .then((saved) => {
        setFaults(saved.faults)
        if (saved.faults.length > 0) return
        toast({ kind: 'success', text: t('sensitive.admin.saved', { name: rule.name }) })
        edit(saved.ruleId)
        refetchRequests()
      })
      .catch(notifyFailure)
  }
  const change = (one: SensitiveRule, enabled: boolean): void =>
    void api
      .saveSensitiveRule({ ruleId: one.ruleId, rule: toInput({ ...editedOf(one), enabled }) })
      .catch(notifyFailure)
      .finally(refetchRequests)
  const remove = async (): Promise<void> => {
    if (stored === undefined) return
    if (!isSure) return setSure(true)
    await api.deleteSensitiveRule({ ruleId: stored.ruleId })
    toast({ kind: 'success', text: t('sensitive.admin.deleted', { name: stored.name }) })
    edit(undefined)
    refetchRequests()
  }
  if (error !== null)
    return (
      <StatePage picture={<SheetPicture sign="warning" />} title={t('sensitive.notLoaded')} text={error.message}>
        <Button onClick={() => void refetch()}>{t('sensitive.retry')}</Button>
      </StatePage>
    )
  if (data === undefined) return <Spinner label={t('sensitive.loading')} />
  const fold = typed.trim().toLowerCase()
  return (
    <ListPage
      title={t('company.sensitive')}
      note={t('sensitive.admin.note', {
        on: data.list.filter(({ enabled, problem }) => enabled && problem === '').length,
        n: data.recentHits,
      })}
      tools={
        <>
          <Recheck run={data.run} />
          <Button kind="primary" onClick={() => edit(0, { ...newSensitiveRule, reviewers: [] })}>
            {t('sensitive.admin.new')}
          </Button>
        </>
      }
    >
      <div className="sn-admin">
        <nav className="sn-rules" aria-label={t('company.sensitive')}>
          <SearchField label={t('sensitive.admin.search')} value={typed} onChange={setTyped} />
          <ul>
            {data.list
              .filter(({ name }) => name.toLowerCase().includes(fold))
              .map((one) => (
                <li key={one.ruleId} data-current={one.ruleId === ruleId}>
                  <button type="button" onClick={() => edit(one.ruleId)}>
                    <b>{one.name}</b>
                    <small className={one.problem === '' ? 'sn-muted' : 'sn-problem'}>
                      {one.problem === ''
                        ? t('sensitive.admin.recent', { n: one.recentHits })
                        : t('sensitive.admin.problem')}
                    </small>
                  </button>
                  <StatusChip tone={one.action === 'block' ? 'danger' : one.action === 'audit' ? 'warning' : 'neutral'}>
                    {t(`sensitive.action.${one.action}`)}
                  </StatusChip>
                  <Switch
                    label={t('sensitive.admin.on', { name: one.name })}
                    on={one.enabled}
                    onChange={(on) => change(one, on)}
                  />
                </li>
              ))}
          </ul>
          <p className="sn-muted">{t('sensitive.admin.strictest')}</p>
          {data.uninspected > 0 && <p className="sn-muted">{t('sensitive.admin.unread', { n: data.uninspected })}</p>}
          <UsualReviewers reviewers={data.reviewers} />
        </nav>
        {rule === undefined ? (
          <StatePage
            picture={<SheetPicture sign="search" />}
            title={t('sensitive.admin.pick')}
            text={t('sensitive.admin.pick.more')}
          />
        ) : (
          <section className="sn-form" aria-label={rule.name || t('sensitive.admin.new')}>
            <RuleForm
              key={ruleId}
              rule={rule}
              faults={faults}
              onChange={(part) => {
                setDraft({ ...rule, ...part })
                setFaults([])
              }}
            />
            <span className="sn-row">
              <Button kind="primary" onClick={save}>
                {t('sensitive.admin.save')}
              </Button>
              {draft !== undefined && (
                <Button onClick={() => edit(ruleId === 0 ? undefined : ruleId)}>{t('sensitive.admin.discard')}</Button>
              )}
              {stored !== undefined && (
                <Button kind="danger" onClick={() => void remove().catch(notifyFailure)}>
                  {t('sensitive.admin.delete')}
                </Button>
              )}
              <small className={faults.length > 0 ? 'sn-problem' : 'sn-muted'} role="status">
                {isSure && stored !== undefined
                  ? t('sensitive.admin.delete.sure', { name: stored.name })
                  : faults.length > 0
                    ? t('sensitive.admin.faults', { n: faults.length })
                    : t(draft === undefined ? 'sensitive.admin.effect' : 'sensitive.admin.changed')}
              </small>
            </span>
          </section>
        )}
        {rule === undefined ? <span /> : <RuleTrial rule={toInput(rule)} ruleId={ruleId} onFaults={setFaults} />}
      </div>
    </ListPage>
  )
}

/** Who reviews where a rule names nobody. */
function UsualReviewers({ reviewers }: { readonly reviewers: readonly Named[] }): ReactNode {
  const t = useT()
  const set = async (next: readonly Named[]): Promise<void> => {
    await api.setSensitiveReviewers({
      reviewers: next.map(({ subjectType, subjectId }) => ({ subjectType, subjectId })),
    })
    toast({ kind: 'success', text: t('sensitive.admin.reviewers.saved') })
    refetchRequests()
  }
  const pick = async (): Promise<void> => {
    const next = await pickReviewers(t('sensitive.admin.reviewers.pick'), t('sensitive.admin.ok'), reviewers)
    if (next !== undefined) await set(next)
  }
  return (
    <section aria-label={t('sensitive.admin.reviewers.usual')}>
      <h3>{t('sensitive.admin.reviewers.usual')}</h3>
      <span className="sn-row">
        {reviewers.map((one) => (
          <RemovableChip
            key={`${one.subjectType} ${one.subjectId}`}
            text={one.name}
            removeLabel={t('sensitive.admin.remove', { name: one.name })}
            onRemove={() => void set(reviewers.filter((other) => other !== one)).catch(notifyFailure)}
          />
        ))}
        <Button size="small" onClick={() => void pick().catch(notifyFailure)}>
          {t('sensitive.admin.reviewers.add')}
        </Button>
      </span>
      {reviewers.length === 0 && <small className="sn-muted">{t('sensitive.admin.reviewers.none')}</small>}
    </section>
  )
}

type Rules = Awaited<ReturnType<typeof api.getSensitiveRules>>

/** The check of the files that are there: how far it is, and its start and stop. */
function Recheck({ run }: Pick<Rules, 'run'>): ReactNode {
  const t = useT()
  const isRunning = run?.state === 'running'
  const act = (): void =>
    void (isRunning ? api.stopSensitiveRecheck({}) : api.startSensitiveRecheck({}))
      .catch(notifyFailure)
      .finally(refetchRequests)
  return (
    <>
      {run !== null && (
        <small className="sn-muted" role="status">
          {t(`sensitive.admin.recheck.${run.state}`, {
            ...{ done: run.done, total: run.total, found: run.found },
            time: minuteTime(run.endTime ?? run.startTime),
          })}
        </small>
      )}
      <Button onClick={act}>{t(isRunning ? 'sensitive.admin.recheck.stop' : 'sensitive.admin.recheck')}</Button>
    </>
  )
}
