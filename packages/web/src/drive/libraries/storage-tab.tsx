// The total storage, its growth, and the largest libraries, departments and users.
import type { Answer, calls } from '@cloudoc/contract'
import { formatSize } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { dayLabel, LineChart } from '../../admin/shared/charts.tsx'
import { growthLabel, UsageBar } from '../../admin/shared/usage-parts.tsx'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import './texts.ts'

type StorageUse = Answer<typeof calls.getStorageOf>['list'][number]

export function StorageTab(): ReactNode {
  const t = useT()
  const { data, error } = useQuery({ queryKey: ['company', 'storage'], queryFn: () => api.getStorage({}) })
  if (error !== null) return <StatePage title={t('company.failed')} text={error.message} />
  if (data === undefined) return <Spinner />
  const { used, limit, disk, days, measured, place, logBytes } = data
  const grown = used - (days[0]?.used ?? used)
  const free = limit > 0 ? Math.max(0, limit - used) : disk?.free
  const lasts = grown > 0 && free !== undefined ? Math.floor((free / grown) * 30) : undefined
  return (
    <>
      <div className="co-cards">
        <section className="ad-card is-wide">
          <div className="co-card-head">
            <h2>{t('company.storage.used', { size: formatSize(used, 1) })}</h2>
            <small>
              {limit > 0 ? t('company.storage.limit', { size: formatSize(limit, 1) }) : ''}
              {disk !== null && ` ${t('company.storage.disk', { place, free: formatSize(disk.free, 1) })}`}
              {disk === null && ` ${place}`}
            </small>
            {measured !== null && (
              <ul className="co-legend">
                <li className="is-k0">{t('company.storage.old', { size: formatSize(measured.oldVersions, 1) })}</li>
                <li className="is-k1">
                  {t('company.storage.saved', { size: formatSize(Math.max(0, used - measured.stored), 1) })}
                </li>
                <li className="is-k3">{t('company.storage.log', { size: formatSize(logBytes, 1) })}</li>
              </ul>
            )}
          </div>
          <LineChart
            caption={t('company.storage.chart', { grown: growthLabel(grown) })}
            heads={[t('company.day'), t('company.column.used')]}
            points={days.map((day) => ({ label: dayLabel(day.day), value: day.used }))}
            format={(bytes) => formatSize(bytes, 1)}
          />
          <small>
            {t('company.storage.grown', { grown: growthLabel(grown) })}
            {lasts !== undefined && lasts < 3650 && ` ${t('company.storage.lasts', { n: lasts })}`}
          </small>
        </section>
        <Nearly />
        <Largest by="library" />
        <Largest by="group" />
        <Largest by="user" />
      </div>
    </>
  )
}

function Nearly(): ReactNode {
  const t = useT()
  const { personal_space_percent: percent } = useSession().serverSetting
  const { data } = useQuery({
    queryKey: ['company', 'space', 'low'],
    queryFn: () => api.getStorageOf({ by: 'low', rows: 8 }),
  })
  return (
    <section className="ad-card">
      <div className="co-card-head">
        <h2>{t('company.storage.near')}</h2>
        <small>{data && t('company.storage.nearMore', { percent, n: data.total })}</small>
        <Link to="/doc/admin/settings">{t('company.storage.settings')}</Link>
      </div>
      {data?.list.length === 0 && <p>{t('company.storage.nobodyNear')}</p>}
      <ul className="co-lines">
        {data?.list.map(({ type, id, name, detail, used, total }) => (
          <li key={`${type}${id}`}>
            <span>
              {name} <small>{detail}</small>
            </span>
            <UsageBar used={used} total={total} label={name} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Largest({ by }: { readonly by: 'library' | 'group' | 'user' }): ReactNode {
  const t = useT()
  const { data } = useQuery({ queryKey: ['company', 'space', by], queryFn: () => api.getStorageOf({ by, rows: 6 }) })
  const columns: readonly Column<StorageUse>[] = [
    {
      id: 'name',
      head: t('company.column.name'),
      renderCell: ({ name, detail }) => (
        <>
          {name} <small>{detail}</small>
        </>
      ),
    },
    { id: 'used', head: t('company.column.used'), align: 'number', renderCell: ({ used }) => formatSize(used, 1) },
    { id: 'grown', head: t('company.column.grown'), align: 'number', renderCell: ({ grown }) => growthLabel(grown) },
  ]
  return (
    <section className="ad-card">
      <div className="co-card-head">
        <h2>{t(`company.storage.by.${by}`)}</h2>
        <small />
        <Link to={`/doc/admin/reports/${by}`}>{t('company.storage.all', { n: data?.total ?? 0 })}</Link>
      </div>
      <Table label={t(`company.storage.by.${by}`)} columns={columns} rows={data?.list ?? []} keyOf={({ id }) => id} />
    </section>
  )
}
