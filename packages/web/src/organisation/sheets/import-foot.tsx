// The foot of an import: what will be imported, and the progress of it.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { Button } from '../../kit/button.tsx'
import type { CheckedRows } from './use-checked-rows.ts'

const askEveryMs = 500

interface FootProps {
  readonly rows: CheckedRows
  readonly lines: readonly number[]
  /** The import that runs. */
  readonly importId: string | undefined
  readonly onOther: () => void
  readonly onWrite: () => void
}

export function ImportFoot({ rows, lines, importId, onOther, onWrite }: FootProps): ReactNode {
  const t = useT()
  const { checked, wrong, count, newGroups } = rows
  const people = count('new') + count('update')
  const isReady = checked !== undefined && wrong.length === 0 && checked.over === 0 && people > 0
  return (
    <footer className="or-import-foot">
      {importId !== undefined ? (
        <Importing importId={importId} people={people} groups={newGroups.length} />
      ) : (
        <b className={isReady ? 'is-ready' : ''}>
          {checked === undefined
            ? t('org.import.checking')
            : wrong.length > 0
              ? t('org.import.wrong', { n: wrong.length })
              : people === 0
                ? t('org.import.nothing')
                : t('org.import.ready', { added: count('new'), updated: count('update') })}
        </b>
      )}
      <small>
        {wrong.length > 0
          ? t('org.import.whichLines', {
              lines: wrong
                .slice(0, 5)
                .map((n) => lines[n] ?? 0)
                .join('、'),
            })
          : t('org.import.whole')}
      </small>
      <span className="or-grow" />
      {importId === undefined ? (
        <Button onClick={() => onOther()}>{t('org.import.other')}</Button>
      ) : (
        <CallOff key={importId} importId={importId} />
      )}
      <Button kind="primary" disabled={!isReady || importId !== undefined} onClick={() => onWrite()}>
        {t('org.import.write', { n: people })}
      </Button>
    </footer>
  )
}

interface ImportingProps {
  readonly importId: string
  readonly people: number
  readonly groups: number
}

/** The progress of the import, polled while it runs. */
function Importing({ importId, people, groups }: ImportingProps): ReactNode {
  const t = useT()
  const { data } = useQuery({
    queryKey: ['import-progress', importId],
    queryFn: () => api.getImportProgress({ importId }),
    // Before its first row is written, an import is as unknown to the server as after its end.
    refetchInterval: askEveryMs,
    gcTime: 0,
    retry: false,
  })
  const stage = data === undefined || data.stage === 'ended' ? 'waiting' : data.stage
  const progress = stage === 'waiting' ? undefined : data?.progress
  const n = stage === 'groups' ? Math.max(groups, data?.written ?? 0) : people
  return (
    <>
      <b>{t('org.import.writing', { n: people })}</b>
      <progress max={1000} value={progress} aria-label={t('org.import.writing', { n: people })} />
      <span className="or-import-stage">{t(`org.import.stage.${stage}`, { n, written: data?.written ?? 0 })}</span>
    </>
  )
}

/** Cancels the import. The import call itself returns the outcome. */
function CallOff({ importId }: { readonly importId: string }): ReactNode {
  const t = useT()
  const [asked, setAsked] = useState(false)
  const callOff = async (): Promise<void> => {
    setAsked(true)
    try {
      const { cancelled } = await api.cancelImport({ importId })
      if (!cancelled) toast({ kind: 'warning', text: t('org.import.tooLate') })
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      toast({ kind: 'error', text: error.message })
      setAsked(false)
    }
  }
  return (
    <Button disabled={asked} onClick={() => void callOff()}>
      {t(asked ? 'org.import.callingOff' : 'org.import.callOff')}
    </Button>
  )
}
