// The drawer of a legal hold: what it covers, what it means, its list for others, and its end.
import { formatSize, fullTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { Checkmark16Regular, Dismiss16Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { saveTable } from '../../organisation/index.ts'
import { type Hold, holdsKey } from './hold-list.ts'

const perPage = 1000

interface DrawerProps {
  readonly hold: Hold
  readonly close: () => void
}

export function HoldDrawer({ hold, close }: DrawerProps): ReactNode {
  const t = useT()
  const { holdId, name, number, reason, told, liftTime } = hold
  const [read, setRead] = useState<number>()
  const { data, error, refetch } = useQuery({
    queryKey: [...holdsKey, holdId],
    queryFn: () => api.getHold({ holdId }, { quiet: true }),
  })
  const lift = async (): Promise<void> => {
    if (await openWindow('cloudoc-hold-lift', { holdId, name }))
      await queryClient.invalidateQueries({ queryKey: holdsKey })
  }
  const save = async (): Promise<void> => {
    const rows: (string | number)[][] = []
    setRead(0)
    try {
      for (let after = 0; ; ) {
        const { list } = await api.getHoldItems({ holdId, after, rows: perPage })
        for (const one of list)
          rows.push([
            one.fName,
            one.pathString,
            one.fType === 1 ? one.version : '',
            one.fType === 1 ? one.versions : '',
            one.fType === 1 ? one.fileSize : '',
            one.sha256,
            t(one.isInBin ? 'holds.yes' : 'holds.no'),
            one.creatorName,
            fullTime(one.modifyTime),
          ])
        setRead(rows.length)
        if (list.length < perPage) break
        after = list.at(-1)?.fId ?? after
      }
      const heads = (
        ['file', 'path', 'version', 'allVersions', 'size', 'hash', 'bin', 'author', 'changed'] as const
      ).map((one) => t(`holds.${one}`))
      await saveTable(`${t('holds.sheet')} ${name}.xlsx`, [heads, ...rows.map((row) => row.map(String))], {
        sheet: t('holds.sheet'),
      })
      toast({ kind: 'success', text: t('holds.exported', { n: rows.length }) })
    } finally {
      setRead(undefined)
    }
  }
  const people = data?.scope.filter(({ userId }) => userId !== 0) ?? []
  const places = data?.scope.filter(({ itemId }) => itemId !== 0) ?? []
  return (
    <aside className="hd-drawer" aria-label={name}>
      <header>
        <b>{name}</b>
        <StatusChip tone={liftTime === 0 ? 'danger' : 'neutral'}>
          {t(liftTime === 0 ? 'holds.inForce' : 'holds.lifted')}
        </StatusChip>
        <Button size="small" onClick={close}>
          {t('holds.close')}
        </Button>
      </header>
      <div className="hd-body" role="region" aria-label={name} tabIndex={0}>
        {data === undefined ? (
          error === null ? (
            <Spinner />
          ) : (
            <LoadFailure error={error} retry={refetch} />
          )
        ) : (
          <>
            <dl className="hd-facts">
              {number !== '' && <Fact name={t('holds.number')}>{number}</Fact>}
              <Fact name={t('holds.reason')}>{reason}</Fact>
              <Fact name={t('holds.content')}>
                {t('holds.contentOf', { items: data.items, size: formatSize(data.bytes) })}
              </Fact>
              <Fact name={t('holds.versions')}>{t('holds.versionsOf', { n: data.versions })}</Fact>
              <Fact name={t('holds.inBin')}>{t('holds.inBinOf', { n: data.inBin })}</Fact>
              <Fact name={t('holds.told')}>{t(told ? 'holds.toldYes' : 'holds.toldNo')}</Fact>
            </dl>
            {people.length > 0 && (
              <>
                <h2>{t('holds.members')}</h2>
                <p>{people.map((one) => isolated(one.name)).join(t('drive.rights.and'))}</p>
              </>
            )}
            {places.length > 0 && (
              <>
                <h2>{t('holds.places')}</h2>
                <ul>
                  {places.map((one) => (
                    <li key={one.itemId}>
                      {one.name}
                      <small>
                        {[
                          one.pathString,
                          one.origin === 'library' && t('holds.ownLibrary'),
                          one.origin === 'moved' && t('holds.moved'),
                        ]
                          .filter(Boolean)
                          .join(' · ')}
                      </small>
                    </li>
                  ))}
                </ul>
              </>
            )}
            {liftTime === 0 ? (
              <>
                <h2>{t('holds.meaning')}</h2>
                <p className="hd-rule">
                  <Checkmark16Regular />
                  {t('holds.mayStill')}
                </p>
                <p className="hd-rule">
                  <Dismiss16Regular />
                  {t('holds.mayNot')}
                </p>
              </>
            ) : (
              <p>{t('holds.liftedBy', { time: fullTime(liftTime), name: hold.lifterName, reason: hold.liftReason })}</p>
            )}
          </>
        )}
      </div>
      <footer>
        {liftTime === 0 && (
          <Button kind="danger" onClick={() => void lift()}>
            {t('holds.lift')}
          </Button>
        )}
        <Button disabled={read !== undefined || (data?.items ?? 0) === 0} onClick={() => void save()}>
          {read === undefined ? t('holds.export') : t('holds.exporting', { n: read })}
        </Button>
      </footer>
    </aside>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
