// The pages /doc/folder/recently ([R054], [R249]): what one opened, edits, handed in, and what others changed of it.
import { Delete16Regular, History16Regular } from '@fluentui/react-icons'
import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import { api } from '../../core/call/api.ts'
import { t as say, useT } from '../../core/i18n/i18n.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { tell } from '../actions/operations.ts'
import type { FixedColumns, ItemColumn } from '../files/grid/columns.ts'
import { placedColumns, placedColumnsWith } from '../files/grid/placed-columns.ts'
import { PlacedList } from '../files/grid/placed-list.tsx'
import { recentOf, refetchOrdered } from '../lists/lists.ts'
import { type RecentKind, toldOf } from '../lists/ordered-source.ts'
import { Resume } from './resume.tsx'
import '../lists/ranges.css'

export const recentKinds = ['history', 'locked', 'submit', 'change'] as const satisfies readonly RecentKind[]

const act: ItemColumn = {
  id: 'act',
  label: 'recent.column.act',
  text: (item) => {
    const { act: what } = toldOf('history', item)
    return what === undefined ? '' : say(`recent.act.${what}`)
  },
}
const editor: ItemColumn = { id: 'by', label: 'recent.column.editor', text: ({ editorName }) => editorName }
const version: ItemColumn = {
  id: 'version',
  label: 'recent.column.version',
  text: (item) => {
    const { version: n } = toldOf('submit', item)
    return n === undefined ? '' : say('drive.info.version', { n })
  },
}

const columns: Readonly<Record<RecentKind, FixedColumns>> = {
  history: placedColumnsWith('recent.time.history', { more: [act], by: false }),
  locked: placedColumnsWith('recent.time.locked', { more: [editor], by: false }),
  submit: placedColumnsWith('recent.time.submit', { more: [version], by: false }),
  change: placedColumns,
}

export const RecentHistory = (): ReactNode => <RecentView key="history" kind="history" />
export const RecentLocked = (): ReactNode => <RecentView key="locked" kind="locked" />
export const RecentSubmit = (): ReactNode => <RecentView key="submit" kind="submit" />
export const RecentChange = (): ReactNode => <RecentView key="change" kind="change" />

async function forgetAll(): Promise<void> {
  const yes = await confirmBox({ text: say('recent.clearAsk'), ok: say('recent.clear'), danger: true })
  if (!yes) return
  try {
    await api.deleteRecentHistory({ all: true })
    await refetchOrdered('recent')
  } catch (error) {
    tell(error)
  }
}

function RecentView({ kind }: { readonly kind: RecentKind }): ReactNode {
  const t = useT()
  return (
    <PlacedList
      list={recentOf(kind)}
      module="recent"
      label={t('recent.title')}
      columns={columns[kind]}
      byDay
      head={
        <>
          <h1>{t('recent.title')}</h1>
          <nav className="dr-ranges" aria-label={t('recent.kinds')}>
            {recentKinds.map((one) => (
              <NavLink
                key={one}
                to={`/doc/folder/recently/${one}`}
                className={({ isActive }) => (isActive ? 'is-on' : '')}
              >
                {t(`recent.${one}`)}
              </NavLink>
            ))}
          </nav>
          {(kind === 'locked' || kind === 'submit') && (
            <Button
              kind="ghost"
              size="small"
              className="dr-tag-manage-end"
              icon={<History16Regular />}
              onClick={() => void openWindow('cloudoc-recent-edit', {})}
            >
              {t('editor.recent.title')}
            </Button>
          )}
          {kind === 'history' && (
            <Button
              kind="ghost"
              size="small"
              className="dr-tag-manage-end"
              icon={<Delete16Regular />}
              onClick={() => void forgetAll()}
            >
              {t('recent.clear')}
            </Button>
          )}
        </>
      }
      above={kind === 'history' ? <Resume /> : undefined}
      nothing={t(`recent.nothing.${kind}`)}
      hint={t(`recent.hint.${kind}`)}
    />
  )
}
