// Who may write to whom (X74).
import type { Answer, calls } from '@cloudoc/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { Button } from '../../kit/button.tsx'
import { Select } from '../../kit/select.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { type Subject, SubjectField } from '../../people/index.ts'

type Rule = Answer<(typeof calls)['getTalkRules']>['list'][number]
const effects = ['refuseBoth', 'refuse', 'allowBoth', 'allow'] as const
type Effect = (typeof effects)[number]

const key = ['talk-admin', 'rules']
const effectOf = ({ allows, bothWays }: Rule): Effect =>
  allows ? (bothWays ? 'allowBoth' : 'allow') : bothWays ? 'refuseBoth' : 'refuse'

/** The side of a rule: one subject, or everybody. */
const sideOf = ([subject]: readonly Subject[]): { type: 'all' | Subject['type']; id: number } =>
  subject === undefined ? { type: 'all', id: 0 } : { type: subject.type, id: subject.id }

export function RulesTab(): ReactNode {
  const t = useT()
  const mayChange = useSession().permission.powers.includes('security')
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: () => api.getTalkRules({}) })
  const [from, setFrom] = useState<readonly Subject[]>([])
  const [to, setTo] = useState<readonly Subject[]>([])
  const [effect, setEffect] = useState<Effect>('refuseBoth')
  const read = (): Promise<unknown> => queryClient.invalidateQueries({ queryKey: key })
  const add = async (): Promise<void> => {
    const [writer, reader] = [sideOf(from), sideOf(to)]
    await api.addTalkRule({
      ...{ fromType: writer.type, fromId: writer.id, toType: reader.type, toId: reader.id },
      bothWays: effect.endsWith('Both'),
      allows: effect.startsWith('allow'),
    })
    toast({ kind: 'success', text: t('talkAdmin.rules.added') })
    setFrom([])
    setTo([])
    await read()
  }
  const remove = async (ruleId: number): Promise<void> => {
    await api.removeTalkRule({ ruleId })
    toast({ kind: 'success', text: t('talkAdmin.rules.removed') })
    await read()
  }
  const nameOf = (type: Rule['fromType'], name: string): string =>
    type === 'all' ? t('talkAdmin.rules.everybody') : name === '' ? t('talkAdmin.rules.gone') : name
  const columns: readonly Column<Rule>[] = [
    { id: 'from', head: t('talkAdmin.rules.from'), renderCell: (rule) => nameOf(rule.fromType, rule.fromName) },
    { id: 'effect', head: t('talkAdmin.rules.effect'), renderCell: (rule) => t(`talkAdmin.rules.${effectOf(rule)}`) },
    { id: 'to', head: t('talkAdmin.rules.to'), renderCell: (rule) => nameOf(rule.toType, rule.toName) },
    {
      id: 'remove',
      head: t('talkAdmin.rules.remove'),
      isHeadHidden: true,
      align: 'end',
      renderCell: (rule) =>
        mayChange && (
          <Button size="small" onClick={() => void remove(rule.ruleId).catch(notifyFailure)}>
            {t('talkAdmin.rules.remove')}
          </Button>
        ),
    },
  ]
  if (error !== null)
    return (
      <StatePage title={t('talkAdmin.failed')} text={error.message}>
        <Button onClick={() => void refetch()}>{t('talkAdmin.retry')}</Button>
      </StatePage>
    )
  return (
    <div className="ta-tab">
      <p>{t('talkAdmin.rules.note')}</p>
      {mayChange && (
        <div className="ta-form">
          <div className="ta-field">
            <span aria-hidden="true">{`${t('talkAdmin.rules.from')}（${t('talkAdmin.rules.empty')}）`}</span>
            <SubjectField
              label={t('talkAdmin.rules.from')}
              chosen={from}
              onChange={(chosen) => setFrom(chosen.slice(-1))}
            />
          </div>
          <Select
            label={t('talkAdmin.rules.effect')}
            showLabel
            value={effect}
            options={effects.map((value) => ({ value, label: t(`talkAdmin.rules.${value}`) }))}
            onChange={setEffect}
          />
          <div className="ta-field">
            <span aria-hidden="true">{`${t('talkAdmin.rules.to')}（${t('talkAdmin.rules.empty')}）`}</span>
            <SubjectField label={t('talkAdmin.rules.to')} chosen={to} onChange={(chosen) => setTo(chosen.slice(-1))} />
          </div>
          <Button
            kind="primary"
            disabled={from.length === 0 && to.length === 0}
            onClick={() => void add().catch(notifyFailure)}
          >
            {t('talkAdmin.rules.add')}
          </Button>
        </div>
      )}
      {data?.list.length === 0 ? (
        <StatePage title={t('talkAdmin.rules.none')} />
      ) : (
        <Table label={t('talkAdmin.tab.rules')} columns={columns} rows={data?.list} keyOf={({ ruleId }) => ruleId} />
      )}
    </div>
  )
}
