// The rules that say whose downloads and links need an approval, in the order in which they are matched (操作管控).
import type { OperationRule } from '@cloudoc/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import { api } from '../../core/call/api.ts'
import { type Translate, useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Add16Regular, ArrowDown16Regular, ArrowUp16Regular, Delete16Regular, Edit16Regular } from '../../kit/icons.ts'
import { ListPage } from '../../kit/list-page.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { Switch } from '../../kit/switch.tsx'
import { type Column, Table, TableName } from '../../kit/table.tsx'
import { operationRules, refetchRules, toInput } from './operation-queries.ts'
import './operations.css'

export function OperationRulesPage(): ReactNode {
  const t = useT()
  const { data, error, refetch } = useQuery(operationRules)
  const list = data?.list ?? []
  const edit = (rule?: OperationRule): void =>
    void openWindow('company-operation-rule', {
      libraries: data?.libraries ?? [],
      ...(rule !== undefined && { rule }),
    })
  const enable = (rule: OperationRule, isActive: boolean): void =>
    void api
      .setOperationRule({ ...toInput(rule), isActive })
      .catch(notifyFailure)
      .finally(refetchRules)
  const move = (at: number, to: number): void => {
    const ids = list.map(({ ruleId }) => ruleId)
    ids.splice(to, 0, ...ids.splice(at, 1))
    void api.orderOperationRules({ ruleIdArray: ids }).catch(notifyFailure).finally(refetchRules)
  }
  const remove = async ({ ruleId, name }: OperationRule): Promise<void> => {
    const sure = await confirmBox({
      text: t('operations.remove.ask', { name }),
      detail: t('operations.remove.more'),
      ok: t('operations.remove'),
      danger: true,
    })
    if (!sure) return
    await api.removeOperationRule({ ruleId })
    toast({ kind: 'success', text: t('operations.removed', { name }) })
    refetchRules()
  }
  return (
    <ListPage
      title={t('company.operations')}
      note={t('operations.note', { on: list.filter(({ isActive }) => isActive).length })}
      tools={
        <Button kind="primary" icon={<Add16Regular />} onClick={() => edit()} disabled={data === undefined}>
          {t('operations.new')}
        </Button>
      }
      foot={
        <span>
          {t('operations.order')} {t('operations.numbers')}
        </span>
      }
    >
      <Table
        label={t('company.operations')}
        columns={columnsOf({ t, list, enable, move, edit, remove })}
        rows={data?.list}
        keyOf={({ ruleId }) => ruleId}
        nameOf={({ name }) => name}
        onOpen={edit}
        isTall
        failure={error && <LoadFailure error={error} retry={refetch} />}
        loading={<Spinner />}
        empty={<StatePage title={t('operations.none')} text={t('operations.none.more')} />}
      />
    </ListPage>
  )
}

const namesOf = (t: Translate, parts: readonly string[]): string => parts.join(t('operations.and'))

/** Whom a rule binds, and whom not. */
function whomText(t: Translate, { subjects }: OperationRule): string {
  const of = (exempt: boolean) =>
    subjects
      .filter(({ isExempt }) => isExempt === exempt)
      .map(({ subjectType, subjectName }) => (subjectType === 'everybody' ? t('operations.everybody') : subjectName))
  const exempt = of(true)
  return exempt.length === 0
    ? namesOf(t, of(false))
    : `${namesOf(t, of(false))} ${t('operations.exempt.names', { names: namesOf(t, exempt) })}`
}

/** Who reviews, round by round. */
const reviewersText = (t: Translate, { rounds }: OperationRule): string =>
  rounds
    .map(({ by, names, needs }) => {
      const who =
        names.length === 0
          ? t(`operations.by.${by}`)
          : namesOf(
              t,
              names.map(({ name }) => name),
            )
      return needs === 'all' ? `${who} (${t('operations.needs.all')})` : who
    })
    .join(t('operations.then'))

interface RuleColumns {
  readonly t: Translate
  readonly list: readonly OperationRule[]
  readonly enable: (rule: OperationRule, isActive: boolean) => void
  readonly move: (at: number, to: number) => void
  readonly edit: (rule: OperationRule) => void
  readonly remove: (rule: OperationRule) => Promise<void>
}

function columnsOf({ t, list, enable, move, edit, remove }: RuleColumns): readonly Column<OperationRule>[] {
  return [
    {
      id: 'name',
      head: t('operations.name'),
      renderCell: (one) => (
        <TableName
          icon={<span className="op-place">{list.indexOf(one) + 1}</span>}
          below={t(`operations.operation.${one.operation}`)}
        >
          {one.name}
        </TableName>
      ),
    },
    { id: 'whom', head: t('operations.whom'), text: 'wrap', renderCell: (one) => whomText(t, one) },
    {
      id: 'where',
      head: t('operations.where'),
      text: 'wrap',
      renderCell: ({ items }) =>
        items.length === 0
          ? t('operations.where.all')
          : namesOf(
              t,
              items.map(({ fName }) => fName),
            ),
    },
    { id: 'rounds', head: t('operations.rounds'), text: 'wrap', renderCell: (one) => reviewersText(t, one) },
    {
      id: 'deadline',
      head: t('operations.deadline'),
      renderCell: ({ hours }) => (hours === 0 ? t('operations.hours.none') : t('operations.hours', { n: hours })),
    },
    {
      id: 'automatic',
      head: t('operations.automatic'),
      renderCell: ({ autoFiles }) =>
        autoFiles === 0 ? t('operations.automatic.none') : t('operations.automatic.upTo', { n: autoFiles }),
    },
    {
      id: 'active',
      head: t('operations.active'),
      renderCell: (one) => (
        <Switch label={t('operations.on', { name: one.name })} on={one.isActive} onChange={(is) => enable(one, is)} />
      ),
    },
    {
      id: 'buttons',
      head: t('operations.change'),
      isHeadHidden: true,
      align: 'end',
      renderCell: (one) => {
        const at = list.indexOf(one)
        return (
          <>
            <IconButton
              size="small"
              label={t('operations.up', { name: one.name })}
              icon={<ArrowUp16Regular />}
              disabled={at === 0}
              onClick={() => move(at, at - 1)}
            />
            <IconButton
              size="small"
              label={t('operations.down', { name: one.name })}
              icon={<ArrowDown16Regular />}
              disabled={at === list.length - 1}
              onClick={() => move(at, at + 1)}
            />
            <IconButton
              size="small"
              label={t('operations.change')}
              icon={<Edit16Regular />}
              onClick={() => edit(one)}
            />
            <IconButton
              size="small"
              label={t('operations.remove')}
              icon={<Delete16Regular />}
              onClick={() => void remove(one).catch(notifyFailure)}
            />
          </>
        )
      },
    },
  ]
}
