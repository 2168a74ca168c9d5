// The archives of the audit log: what they contain, how much space they use, and how the next one is made ([R287]).
import { formatSize, fullTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { showMenu } from '../../core/menu/menu.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Archive16Regular, ArrowDownload16Regular, ChevronDown12Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { fetchFile, offerDownload } from './file-download.ts'

const archivesKey = ['admin', 'auditArchives'] as const
const months = [12, 6, 3, 1] as const

/** The date n months ago, but at least thirty days ago: more recent entries cannot be archived. */
function monthsAgo(n: number): number {
  const day = new Date()
  const moment = new Date(day.getFullYear(), day.getMonth() - n, day.getDate()).getTime()
  return Math.min(moment, Date.now() - 31 * 24 * 60 * 60_000)
}

const dayOf = (at: number): string => fullTime(at).slice(0, 10)

export function Archives(): ReactNode {
  const t = useT()
  const locale = useLocale()
  const { data, error, refetch } = useQuery({
    queryKey: archivesKey,
    queryFn: () => api.getAuditArchives({}),
    refetchInterval: ({ state }) => ((state.data?.progress ?? null) === null ? false : 1000),
  })
  if (data === undefined)
    return error === null ? (
      <Spinner label={t('admin.loading')} />
    ) : (
      <StatePage title={t('admin.notLoaded')} text={error.message}>
        <Button onClick={() => void refetch()}>{t('admin.again')}</Button>
      </StatePage>
    )
  const { list, used, limit, progress, problem } = data
  const archive = async (n: number): Promise<void> => {
    const before = monthsAgo(n)
    const isMeant = await confirmBox({
      text: t('admin.archive.sure', { day: dayOf(before) }),
      ok: t('admin.archive.make'),
    })
    if (!isMeant) return
    await api.archiveAudit({ before })
    await queryClient.invalidateQueries({ queryKey: archivesKey })
  }
  const save = async (archiveId: number, name: string): Promise<void> => {
    offerDownload(await fetchFile('downloadAuditArchive', { archiveId }), name)
    toast({ kind: 'success', text: t('admin.archive.saved') })
  }
  const columns: readonly Column<(typeof list)[number]>[] = [
    {
      id: 'period',
      head: t('admin.archive.column.period'),
      renderCell: ({ since, until }) => `${dayOf(since)} – ${dayOf(until)}`,
    },
    { id: 'rows', head: t('admin.archive.column.rows'), renderCell: ({ rows }) => rows.toLocaleString(locale) },
    {
      id: 'numbers',
      head: t('admin.archive.column.numbers'),
      renderCell: ({ fromSeq, toSeq }) => `${fromSeq.toLocaleString(locale)} – ${toSeq.toLocaleString(locale)}`,
    },
    { id: 'size', head: t('admin.archive.column.size'), renderCell: ({ bytes }) => formatSize(bytes, 1) },
    { id: 'made', head: t('admin.archive.column.made'), renderCell: ({ createTime }) => fullTime(createTime) },
    {
      id: 'file',
      head: t('admin.archive.column.file'),
      isHeadHidden: true,
      renderCell: ({ archiveId, fromSeq, toSeq }) => {
        const name = `audit-${fromSeq}-${toSeq}.jsonl.gz`
        return (
          <IconButton
            size="small"
            label={t('admin.archive.download', { name })}
            icon={<ArrowDownload16Regular />}
            onClick={() => void save(archiveId, name)}
          />
        )
      },
    },
  ]
  return (
    <section className="ad-archives" aria-label={t('admin.audit.tab.archives')}>
      <div className="ad-archives-head">
        <p role="status">
          {progress !== null
            ? t('admin.archive.making', { n: Math.floor(progress / 10) })
            : limit === 0
              ? t('admin.archive.used', { used: formatSize(used, 1) })
              : t('admin.archive.usedOf', { used: formatSize(used, 1), limit: formatSize(limit, 1) })}
        </p>
        <Button
          icon={<Archive16Regular />}
          disabled={progress !== null}
          aria-haspopup="menu"
          onClick={(event) => {
            const { left, bottom } = event.currentTarget.getBoundingClientRect()
            const entries = months.map((n) => ({
              id: String(n),
              label: t('admin.archive.olderThan', { n }),
              run: () => void archive(n),
            }))
            void showMenu(entries, { x: left, y: bottom + 4 })
          }}
        >
          {t('admin.archive.make')}
          <ChevronDown12Regular />
        </Button>
      </div>
      {problem !== '' && (
        <p className="k-problem" role="alert">
          {t(`admin.archive.${problem}`)}
        </p>
      )}
      {list.length === 0 ? (
        <StatePage title={t('admin.archive.nothing')} text={t('admin.archive.nothingMore')} />
      ) : (
        <div className="ad-archives-list">
          <Table
            label={t('admin.audit.tab.archives')}
            columns={columns}
            rows={list}
            keyOf={({ archiveId }) => archiveId}
          />
        </div>
      )}
    </section>
  )
}
