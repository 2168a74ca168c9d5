// The effect of an unsaved change: who gains and who loses which rights.
import type { Answer, calls } from '@cloudoc/contract'
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { type Column, Table, TableName } from '../../kit/table.tsx'
import { SubjectAvatar } from '../../people/index.ts'
import { rightsLabel } from './rights-labels.ts'
import './rights.css'

export type ChangeEffectAnswer = Answer<typeof calls.previewShareList>

interface ChangeEffectProps {
  readonly changes: number
  readonly effect: Omit<ChangeEffectAnswer, 'overridden'> | undefined
  readonly problem: string | undefined
}

export function ChangeEffect({ changes, effect, problem }: ChangeEffectProps): ReactNode {
  const t = useT()
  const printRights = useSession().setting.print_rights
  if (changes === 0) return <p className="dr-rights-note">{t('rights.effect.none')}</p>
  if (problem !== undefined) return <p className="dr-rights-note">{problem}</p>
  if (effect === undefined) return <p className="dr-rights-note">{t('rights.loading')}</p>
  const { gains, loses, hidden, same, list } = effect
  const columns: readonly Column<(typeof list)[number]>[] = [
    {
      id: 'who',
      head: t('rights.effect.who'),
      renderCell: ({ userId, accountName, groupName }) => (
        <TableName icon={<SubjectAvatar type="user" id={userId} name={accountName} />} note={groupName}>
          {accountName}
        </TableName>
      ),
    },
    { id: 'before', head: t('rights.effect.before'), renderCell: ({ before }) => rightsLabel(before, printRights, t) },
    {
      id: 'after',
      head: t('rights.effect.after'),
      className: ({ before, after }) => ((before & ~after) === 0 ? 'is-success' : 'is-danger'),
      renderCell: ({ after }) => rightsLabel(after, printRights, t),
    },
  ]
  return (
    <div className="dr-rights-main">
      {hidden > 0 ? (
        <p className="dr-rights-lead is-danger" role="status">
          {t('rights.effect.hidden', { n: hidden })}
        </p>
      ) : (
        <p className="dr-rights-lead" role="status">
          {t('rights.effect.lead')}
        </p>
      )}
      <p className="dr-rights-counts">{t('rights.effect.counts', { gains, loses, same })}</p>
      <div className="dr-rights-entries">
        <Table columns={columns} rows={list} keyOf={({ userId }) => userId} />
      </div>
      {gains + loses > list.length && (
        <p className="dr-rights-hint">{t('rights.effect.more', { n: gains + loses - list.length })}</p>
      )}
    </div>
  )
}
