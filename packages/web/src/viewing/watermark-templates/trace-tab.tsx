// Searches for the invisible watermark in a screenshot or photo (dropped, pasted or chosen), and shows the user, the
// item and the time.
import type { WatermarkTrace } from '@cloudoc/contract'
import { fullTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type DragEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import { useT } from '../../core/i18n/i18n.ts'
import { FileIcon } from '../../items/item/file-icon.tsx'
import { CheckmarkCircle16Regular, ImageSearch24Regular, Info16Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { type Column, Table, TableName } from '../../kit/table.tsx'
import { InitialsAvatar } from '../../people/index.ts'
import { findTrace, readSearches, refetchSearches, searchesKey, type TraceResult } from './watermark-queries.ts'
import './texts.ts'

interface TraceAttempt {
  readonly name: string
  readonly url: string
  readonly answer?: TraceResult
  readonly problem?: string
  readonly seconds?: number
}

export function TraceTab(): ReactNode {
  const t = useT()
  const input = useRef<HTMLInputElement>(null)
  const [looked, setLooked] = useState<TraceAttempt>()
  const [over, setOver] = useState(false)
  const url = looked?.url
  useEffect(() => () => void (url !== undefined && URL.revokeObjectURL(url)), [url])
  const busy = looked !== undefined && looked.answer === undefined && looked.problem === undefined

  const look = async (file: File | undefined): Promise<void> => {
    if (file === undefined || busy) return
    const shown = { name: file.name, url: URL.createObjectURL(file) }
    setLooked(shown)
    const began = performance.now()
    try {
      const answer = await findTrace(file)
      setLooked({ ...shown, answer, seconds: (performance.now() - began) / 1000 })
      await refetchSearches()
    } catch (failure) {
      setLooked({ ...shown, problem: failure instanceof Error ? failure.message : String(failure) })
    }
  }
  const pasted = useEffectEvent((event: ClipboardEvent) => {
    const file = [...(event.clipboardData?.files ?? [])].find(({ type }) => type.startsWith('image/'))
    if (file !== undefined) void look(file)
  })
  useEffect(() => {
    document.addEventListener('paste', pasted)
    return () => document.removeEventListener('paste', pasted)
  }, [])
  const onDrop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    void look(event.dataTransfer.files[0])
  }
  return (
    <div className="co-trace">
      <section aria-label={t('company.trace.picture')}>
        {looked !== undefined && (
          <figure className="co-trace-shot">
            <img src={looked.url} alt={looked.name} />
          </figure>
        )}
        {looked !== undefined && (
          <p className="co-trace-name">
            <b title={looked.name}>{looked.name}</b>
            {looked.answer !== undefined && (
              <small>
                {looked.answer.width} × {looked.answer.height}
              </small>
            )}
          </p>
        )}
        <div role="status">
          {busy && <Spinner label={t('company.trace.looking')} />}
          {looked?.problem !== undefined && <p className="co-trace-note is-bad">{looked.problem}</p>}
          {looked?.answer !== undefined && (
            <p className={`co-trace-note${looked.answer.found === null ? '' : ' is-good'}`}>
              {looked.answer.found === null ? <Info16Regular /> : <CheckmarkCircle16Regular />}
              {looked.answer.found === null
                ? t('company.trace.none')
                : t('company.trace.found', {
                    seconds: (looked.seconds ?? 0).toFixed(1),
                    percent: looked.answer.percent,
                  })}
            </p>
          )}
        </div>
        <button
          type="button"
          className="co-trace-drop"
          data-over={over}
          disabled={busy}
          onClick={() => input.current?.click()}
          onDragOver={(event) => {
            event.preventDefault()
            setOver(true)
          }}
          onDragLeave={() => setOver(false)}
          onDrop={onDrop}
        >
          <ImageSearch24Regular />
          {t(looked === undefined ? 'company.trace.drop' : 'company.trace.another')}
        </button>
        <input
          ref={input}
          type="file"
          accept="image/*"
          hidden
          aria-label={t('company.trace.choose')}
          onChange={({ target }) => {
            void look(target.files?.[0])
            target.value = ''
          }}
        />
        <small>{t('company.trace.kept')}</small>
      </section>
      <section aria-label={t('company.trace.result')}>
        {looked?.answer?.found === undefined || looked.answer.found === null ? (
          <StatePage
            title={t(looked?.answer === undefined ? 'company.trace.begin' : 'company.trace.none.title')}
            text={t(looked?.answer === undefined ? 'company.trace.begin.more' : 'company.trace.none.more')}
          />
        ) : (
          <Person found={looked.answer.found} />
        )}
        <Searches />
      </section>
    </div>
  )
}

function Person({ found }: { readonly found: WatermarkTrace }): ReactNode {
  const t = useT()
  const isVisitor = found.link !== ''
  const facts: readonly (readonly [string, ReactNode])[] = [
    [
      t('company.trace.when'),
      found.lastTime === found.time
        ? fullTime(found.time)
        : t('company.trace.times', { from: fullTime(found.time), to: fullTime(found.lastTime) }),
    ],
    [
      t('company.trace.file'),
      <TableName
        key="file"
        icon={<FileIcon ext={found.fName.slice(found.fName.lastIndexOf('.') + 1)} size={22} />}
        note={t('company.trace.version', { n: found.version })}
      >
        {found.fName}
      </TableName>,
    ],
    ...(isVisitor
      ? [[t('company.trace.link'), t('company.trace.linkOf', { link: found.link, who: found.accountName })] as const]
      : []),
    [t('company.trace.from'), found.address],
    [t('company.trace.device'), found.agent],
  ]
  return (
    <div className="co-trace-card">
      <header>
        <InitialsAvatar
          id={isVisitor ? 0 : found.userId}
          name={isVisitor ? found.visitor || t('company.trace.visitor') : found.accountName}
          size="large"
        />
        <div>
          <b>{isVisitor ? found.visitor || t('company.trace.visitor') : found.accountName}</b>
          <small>
            {isVisitor
              ? t('company.trace.outside')
              : [found.account, found.groupName, found.isThere ? '' : t('company.trace.left')]
                  .filter(Boolean)
                  .join(' · ')}
          </small>
        </div>
      </header>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p>
        <CheckmarkCircle16Regular /> {t('company.trace.why', { id: found.traceId.toUpperCase() })}
      </p>
    </div>
  )
}

function Searches(): ReactNode {
  const t = useT()
  const { data, error, refetch } = useQuery({ queryKey: searchesKey, queryFn: readSearches })
  if (error !== null) return <LoadFailure error={error} retry={refetch} />
  if (data === undefined || data.list.length === 0) return null
  const columns: readonly Column<(typeof data.list)[number]>[] = [
    { id: 'time', head: t('company.trace.column.time'), renderCell: ({ time }) => fullTime(time).slice(0, 16) },
    {
      id: 'picture',
      head: t('company.trace.column.picture'),
      renderCell: ({ fileName }) => <TableName>{fileName}</TableName>,
    },
    {
      id: 'result',
      head: t('company.trace.column.result'),
      renderCell: ({ found }) =>
        found === null
          ? t('company.trace.none.title')
          : found.link === ''
            ? `${found.accountName} · ${found.fName}`
            : `${found.visitor || t('company.trace.visitor')} · ${found.fName}`,
    },
    { id: 'by', head: t('company.trace.column.by'), renderCell: ({ accountName }) => accountName },
  ]
  return (
    <div className="co-trace-card">
      <h3>{t('company.trace.searches')}</h3>
      <Table
        label={t('company.trace.searches')}
        columns={columns}
        rows={data.list}
        keyOf={({ time }, n) => `${time} ${n}`}
      />
    </div>
  )
}
