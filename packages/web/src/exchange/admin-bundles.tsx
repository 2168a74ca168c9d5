// Bundles: approved exchanges for networks without a wire are exported, bundles of other networks imported, and receipts
// taken.
import type { BundleProblem, ExchangeNetwork, WaitingExchange } from '@cloudoc/contract'
import { extNameOf, formatSize, fullTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { api, rawRequestHeaders, requestOf, streamUrl } from '../core/call/api.ts'
import { useT } from '../core/i18n/i18n.ts'
import { toast } from '../core/toast/toast.ts'
import { notifyFailure } from '../items/actions/operations.ts'
import { FileIcon } from '../items/item/file-icon.tsx'
import { Button } from '../kit/button.tsx'
import { StatusChip } from '../kit/chips.tsx'
import { Spinner } from '../kit/spinner.tsx'
import { StatePage } from '../kit/state-page.tsx'
import { type Column, type RowKey, Table, TableName } from '../kit/table.tsx'
import { titleOf } from './exchange-common.ts'
import { bundlesQuery, refetchExchange } from './exchange-queries.ts'

/** What was found wrong, or the name of what was imported. */
interface Result {
  readonly problem: BundleProblem | null
  readonly name: string
}

export function Bundles({ networks }: { readonly networks: readonly ExchangeNetwork[] }): ReactNode {
  const t = useT()
  const { data, error } = useQuery(bundlesQuery)
  const [result, setResult] = useState<Result>()
  if (error !== null) return <StatePage title={t('exchange.notLoaded')} text={error.message} />
  if (data === undefined) return <Spinner label={t('exchange.loading')} />
  return (
    <div className="ex-bundles">
      {result !== undefined && (
        <p role="status" className="ex-banner" data-tone={result.problem === null ? 'good' : 'bad'}>
          {result.problem === null
            ? t('exchange.bundle.imported', { name: result.name })
            : t(`exchange.bundle.problem.${result.problem}`)}
        </p>
      )}
      {networks
        .filter(({ transport }) => transport === 'bundle')
        .map((network) => (
          <Waiting key={network.targetServerCode} network={network} waiting={data.waiting} />
        ))}
      <Sent list={data.sent} onResult={setResult} />
      <Imported list={data.imported} onResult={setResult} />
    </div>
  )
}

interface WaitingProps {
  readonly network: ExchangeNetwork
  readonly waiting: readonly (WaitingExchange & { readonly targetServerCode?: string })[]
}

/** Approved exchanges of one network that wait to be exported. */
function Waiting({ network, waiting }: WaitingProps): ReactNode {
  const t = useT()
  const { data } = useQuery({
    queryKey: [...bundlesQuery.queryKey, network.targetServerCode, waiting.length],
    queryFn: () => api.getExchangeBundles({ targetServerCode: network.targetServerCode }, { quiet: true }),
  })
  const [chosen, setChosen] = useState<ReadonlySet<RowKey>>(new Set())
  const [busy, setBusy] = useState(false)
  const some = (data?.waiting ?? []).filter(({ applyId }) => chosen.has(applyId))
  const make = async (): Promise<void> => {
    setBusy(true)
    try {
      const { bundleName } = await api.exportExchangeBundle({
        targetServerCode: network.targetServerCode,
        applyIdArray: some.map(({ applyId }) => applyId),
      })
      toast({ kind: 'success', text: t('exchange.bundle.exported', { name: bundleName }) })
      setChosen(new Set())
    } catch (failure) {
      notifyFailure(failure)
    } finally {
      refetchExchange()
      setBusy(false)
    }
  }
  const columns: readonly Column<WaitingExchange>[] = [
    {
      id: 'what',
      head: t('exchange.column.what'),
      renderCell: (one) => (
        <TableName icon={<FileIcon ext={extNameOf(one.itemName)} size={22} />} below={one.number}>
          {titleOf(one)}
        </TableName>
      ),
    },
    {
      id: 'to',
      head: t('exchange.column.receivers'),
      renderCell: ({ receivers }) => receivers.join(t('exchange.comma')),
    },
    { id: 'level', head: t('exchange.fact.level'), renderCell: ({ secretName }) => secretName },
    {
      id: 'size',
      head: t('exchange.column.size'),
      align: 'number',
      renderCell: ({ fileSize }) => formatSize(fileSize),
    },
    { id: 'by', head: t('exchange.bundle.approved'), renderCell: ({ handledBy }) => handledBy },
  ]
  return (
    <section aria-label={network.targetName}>
      <div className="ex-row">
        <h3>{t('exchange.bundle.waiting', { name: network.targetName })}</h3>
        <Button
          kind="primary"
          size="small"
          disabled={busy || some.length === 0 || network.peerKey === null}
          onClick={() => void make()}
        >
          {t('exchange.bundle.export', { n: some.length })}
        </Button>
        {network.peerKey === null && <small>{t('exchange.bundle.noKey')}</small>}
      </div>
      <Table
        label={t('exchange.bundle.waiting', { name: network.targetName })}
        columns={columns}
        rows={data?.waiting}
        keyOf={({ applyId }) => applyId}
        nameOf={titleOf}
        selection={{ chosen, onChange: setChosen, allLabel: t('exchange.bundle.all') }}
        isTall
        loading={<Spinner />}
        empty={<StatePage title={t('exchange.bundle.none')} text={t('exchange.bundle.none.more')} />}
      />
    </section>
  )
}

interface ListProps<T> {
  readonly list: readonly T[]
  readonly onResult: (result: Result) => void
}
type Data = Awaited<ReturnType<typeof bundlesQuery.queryFn>>

/** Bundles that were exported; a receipt closes them. */
function Sent({ list, onResult }: ListProps<Data['sent'][number]>): ReactNode {
  const t = useT()
  const take = async (file: File): Promise<void> => {
    const { problem, bundleName } = await api.importExchangeReceipt({ receipt: await file.text() })
    onResult({ problem, name: bundleName })
    refetchExchange()
  }
  return (
    <section aria-label={t('exchange.bundle.sent')}>
      <div className="ex-row">
        <h3>{t('exchange.bundle.sent')}</h3>
        <FileButton label={t('exchange.bundle.receipt')} accept=".txt" onFile={take} />
      </div>
      <ul className="ex-files">
        {list.map(({ bundleId, bundleName, targetName, exchanges, fileSize, createTime, receipt }) => (
          <li key={bundleId}>
            <span>
              {bundleName}
              <small>
                {targetName} · {exchanges.map(({ itemName }) => itemName).join(t('exchange.comma'))} ·{' '}
                {formatSize(fileSize)} · {fullTime(createTime)}
              </small>
            </span>
            <StatusChip tone={receipt === null ? 'warning' : 'success'}>
              {t(receipt === null ? 'exchange.bundle.open' : 'exchange.bundle.closed')}
            </StatusChip>
            <a className="ex-link" href={streamUrl('getExchangeBundle', { bundleId })} download={`${bundleName}.hxb`}>
              {t('exchange.bundle.save')}
            </a>
          </li>
        ))}
        {list.length === 0 && <li>{t('exchange.bundle.sent.none')}</li>}
      </ul>
    </section>
  )
}

/** Bundles of other networks that were imported here. */
function Imported({ list, onResult }: ListProps<Data['imported'][number]>): ReactNode {
  const t = useT()
  const take = async (file: File): Promise<void> => {
    const { url, init } = requestOf('importExchangeBundle', {})
    const response = await fetch(url, {
      ...init,
      headers: { ...rawRequestHeaders(), 'content-type': 'application/octet-stream' },
      body: file,
    })
    const answer = (await response.json()) as {
      data: { problem: BundleProblem | null; bundle: { bundleName: string } | null } | null
      msg: string
    }
    if (answer.data === null) toast({ kind: 'error', text: answer.msg })
    else onResult({ problem: answer.data.problem, name: answer.data.bundle?.bundleName ?? file.name })
    refetchExchange()
  }
  const save = async (importId: number): Promise<void> => {
    const { fileName, receipt } = await api.getExchangeReceipt({ importId })
    saveText(fileName, receipt)
  }
  return (
    <section aria-label={t('exchange.bundle.received')}>
      <div className="ex-row">
        <h3>{t('exchange.bundle.received')}</h3>
        <FileButton label={t('exchange.bundle.import')} accept=".hxb" onFile={take} />
      </div>
      <ul className="ex-files">
        {list.map(({ importId, bundleName, fromName, importedBy, importTime, fileCount, fileSize }) => (
          <li key={importId}>
            <span>
              {bundleName}
              <small>
                {fromName} · {t('exchange.files.sum', { n: fileCount, size: formatSize(fileSize) })} · {importedBy}{' '}
                {fullTime(importTime)}
              </small>
            </span>
            <button type="button" className="ex-link" onClick={() => void save(importId).catch(notifyFailure)}>
              {t('exchange.bundle.saveReceipt')}
            </button>
          </li>
        ))}
        {list.length === 0 && <li>{t('exchange.bundle.received.none')}</li>}
      </ul>
    </section>
  )
}

interface FileButtonProps {
  readonly label: string
  readonly accept: string
  readonly onFile: (file: File) => Promise<void>
}

/** A button that lets the user choose a file. */
function FileButton({ label, accept, onFile }: FileButtonProps): ReactNode {
  const field = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  return (
    <>
      <Button size="small" disabled={busy} onClick={() => field.current?.click()}>
        {label}
      </Button>
      <input
        ref={field}
        type="file"
        hidden
        accept={accept}
        aria-label={label}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          target.value = ''
          if (file === undefined) return
          setBusy(true)
          void onFile(file)
            .catch(notifyFailure)
            .finally(() => setBusy(false))
        }}
      />
    </>
  )
}

function saveText(fileName: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: fileName })
  link.click()
  URL.revokeObjectURL(url)
}
