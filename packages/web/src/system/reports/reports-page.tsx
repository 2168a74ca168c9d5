// The reports: storage use, users who have not signed in for long, top downloads. Each can be exported to a file.
import { formatSize, fullTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'react-router'
import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import { growthLabel } from '../../admin/shared/usage-parts.tsx'
import { api } from '../../core/call/api.ts'
import { type Translate, useLocale, useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'
import { Button } from '../../kit/button.tsx'
import { FilterBar } from '../../kit/filter-bar.tsx'
import { ArrowDownload16Regular } from '../../kit/icons.ts'
import { ListPage } from '../../kit/list-page.tsx'
import { Select } from '../../kit/select.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { TabLinks } from '../../kit/tab-links.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { saveTable } from '../../organisation/index.ts'

const address = '/doc/admin/reports'
/** The power each report needs. User activity is for auditors. */
const powerOf = { group: 'system', user: 'system', library: 'system', absent: 'system', downloads: 'audit' } as const
type Report = keyof typeof powerOf
const mostRows = 1000
const periods = [7, 30, 90, 180, 365] as const

interface ReportTable {
  readonly heads: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly total: number
}

/** A report as a table of text. */
async function read(t: Translate, report: Report, days: number): Promise<ReportTable> {
  if (report === 'downloads') {
    const { list, total } = await api.getTopDownloads({ days, rows: mostRows })
    return {
      total,
      heads: (['name', 'library', 'downloads', 'size', 'lastDownload'] as const).map((column) =>
        t(`company.column.${column}`),
      ),
      rows: list.map((one) => [
        one.fName === '' ? t('company.removed') : one.isDeleted ? t('company.inBin', { name: one.fName }) : one.fName,
        one.libraryName,
        String(one.downloads),
        one.fType === 1 ? formatSize(one.fileSize, 1) : '',
        new Date(one.lastTime).toLocaleDateString('sv', { timeZone: 'UTC' }),
      ]),
    }
  }
  if (report === 'absent') {
    const { list, total } = await api.getAbsentPeople({ days, rows: mostRows })
    return {
      total,
      heads: (['person', 'account', 'group', 'signedIn', 'used'] as const).map((column) =>
        t(`company.column.${column}`),
      ),
      rows: list.map((one) => [
        one.accountName,
        one.account,
        one.groupName,
        one.signedInTime === 0 ? t('company.never') : fullTime(one.signedInTime),
        formatSize(one.used, 1),
      ]),
    }
  }
  const { list, total } = await api.getStorageOf({ by: report, rows: mostRows })
  return {
    total,
    heads: (['name', report === 'library' ? 'owner' : 'group', 'used', 'quota', 'grown'] as const).map((column) =>
      t(`company.column.${column}`),
    ),
    rows: list.map((one) => [
      one.name,
      one.detail,
      formatSize(one.used, 1),
      one.total === 0 ? t('company.unlimited') : formatSize(one.total, 1),
      growthLabel(one.grown),
    ]),
  }
}

export function ReportsPage(): ReactNode {
  const t = useT()
  const locale = useLocale()
  const last = useLocation().pathname.split('/').at(-1)
  const { powers } = useSession().permission
  const reports = (Object.keys(powerOf) as Report[]).filter((one) => powers.includes(powerOf[one]))
  const report = reports.find((one) => one === last) ?? reports[0] ?? 'group'
  const [days, setDays] = useState<number>(90)
  const { data, error, refetch } = useQuery({
    queryKey: ['company', 'report', report, days, locale],
    queryFn: () => read(t, report, days),
  })
  const save = async (kind: 'xlsx' | 'csv'): Promise<void> => {
    if (data === undefined) return
    const name = t(`company.report.${report}`)
    await saveTable(`${name}.${kind}`, [data.heads, ...data.rows], { sheet: name.slice(0, 31) })
    toast({ kind: 'success', text: t('company.exported', { n: data.rows.length }) })
  }
  const columns = (data?.heads ?? []).map(
    (head, at): Column<readonly string[]> => ({ id: head, head, renderCell: (row) => row[at] }),
  )
  return (
    <ListPage
      title={t('company.reports')}
      note={data && t('company.rows', { n: data.total })}
      tools={
        <>
          {(['csv', 'xlsx'] as const).map((kind) => (
            <Button
              key={kind}
              icon={<ArrowDownload16Regular />}
              disabled={data === undefined || data.rows.length === 0}
              onClick={() => void save(kind)}
            >
              {t(`company.export.${kind}`)}
            </Button>
          ))}
        </>
      }
      tabs={
        <TabLinks
          label={t('company.reports')}
          tabs={reports.map((one) => ({
            to: `${address}/${one}`,
            text: t(`company.report.${one}`),
            current: one === report,
          }))}
        />
      }
      filters={
        (report === 'absent' || report === 'downloads') && (
          <FilterBar>
            <Select
              label={t('company.period')}
              value={days}
              options={periods.map((value) => ({
                value,
                label: t(report === 'absent' ? 'company.absent.days' : 'company.downloads.days', { n: value }),
              }))}
              onChange={setDays}
            />
          </FilterBar>
        )
      }
    >
      <Table
        label={t(`company.report.${report}`)}
        columns={columns}
        rows={data?.rows}
        keyOf={(row, at) => `${at} ${row[0]}`}
        failure={error && <LoadFailure error={error} retry={refetch} />}
        loading={<Spinner />}
        empty={<StatePage title={t('company.report.nothing')} />}
      />
    </ListPage>
  )
}
