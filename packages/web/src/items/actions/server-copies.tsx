// cloudoc-server-copies: the copies and moves between servers that the user has started, with progress and results.
import { formatSize, fullTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { follow, nameOfServer, percentOf, reasonOf, type ServerCopy, serverNames, titleOf } from './across-servers.ts'
import { notifyFailure } from './operations.ts'
import './across-texts.ts'
import './server-copies.css'

export interface ServerCopiesProps {
  /** The copy that is shown first. */
  readonly copyId?: number
}

const copiesKey = ['drive', 'serverCopies'] as const
const refreshMs = 1000

export function ServerCopies({ copyId, close }: WindowProps<ServerCopiesProps>): ReactNode {
  const t = useT()
  const [openId, setOpenId] = useState(copyId)
  const { data: names } = useQuery({ queryKey: [...copiesKey, 'names'], queryFn: serverNames })
  const { data, error } = useQuery({
    queryKey: copiesKey,
    queryFn: () => api.getServerCopies({}),
    refetchInterval: ({ state }) => (state.data?.list.some(isRunning) === false ? false : refreshMs),
  })
  return (
    <>
      <DialogBody>
        {data === undefined || names === undefined ? (
          error === null ? (
            <Spinner />
          ) : (
            <StatePage title={error.message} />
          )
        ) : data.list.length === 0 ? (
          <StatePage title={t('across.none')} text={t('across.noneMore')} />
        ) : (
          <ul className="sc-list" aria-label={t('across.list')}>
            {data.list.map((copy) => (
              <CopyLine
                key={copy.copyId}
                copy={copy}
                names={names}
                isOpen={copy.copyId === openId}
                toggle={() => setOpenId(copy.copyId === openId ? undefined : copy.copyId)}
              />
            ))}
          </ul>
        )}
      </DialogBody>
      <DialogFooter>
        <Button kind="primary" onClick={() => close()}>
          {t('box.close')}
        </Button>
      </DialogFooter>
    </>
  )
}

const isRunning = ({ state }: ServerCopy): boolean => state === 'running'

interface LineProps {
  readonly copy: ServerCopy
  readonly names: ReadonlyMap<number, string>
  readonly isOpen: boolean
  readonly toggle: () => void
}

function CopyLine({ copy, names, isOpen, toggle }: LineProps): ReactNode {
  const t = useT()
  const { copyId } = copy
  const title = titleOf(copy)
  const change = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      notifyFailure(error)
    }
    await queryClient.invalidateQueries({ queryKey: copiesKey })
  }
  const resume = async (): Promise<void> => {
    await change(() => api.resumeServerCopy({ copyId }))
    void follow(copyId, names)
  }
  const canResume = copy.state === 'failed' || copy.state === 'cancelled' || (copy.state === 'done' && copy.refused > 0)
  const way = { source: nameOfServer(names, copy.sourceServerId), server: nameOfServer(names, copy.targetServerId) }
  return (
    <li className="sc-copy">
      <button type="button" className="sc-head" aria-expanded={isOpen} onClick={toggle}>
        <b>{title}</b>
        <span className="sc-way">
          {t(copy.isMove ? 'across.move' : 'across.copy')} {t('across.way', way)}
          {copy.targetName !== '' && ` / ${copy.targetName}`}
        </span>
        <CopyState copy={copy} names={names} />
        <span className="sc-time">{fullTime(copy.createdAt)}</span>
      </button>
      {copy.state === 'running' && (
        <div
          className="sc-bar"
          role="progressbar"
          aria-label={title}
          aria-valuenow={percentOf(copy)}
          aria-valuemin={0}
          aria-valuemax={100}
        >
          <i style={{ width: `${percentOf(copy)}%` }} />
        </div>
      )}
      <div className="sc-foot">
        <span>
          {t('across.progress', {
            ...{ done: copy.filesDone, files: copy.files },
            ...{ bytesDone: formatSize(copy.bytesDone), bytes: formatSize(copy.bytes) },
          })}
        </span>
        {copy.state === 'running' && (
          <Button size="small" onClick={() => void change(() => api.cancelServerCopy({ copyId }))}>
            {t('across.cancel')}
          </Button>
        )}
        {canResume && (
          <Button size="small" onClick={() => void resume()}>
            {t('across.resume')}
          </Button>
        )}
      </div>
      {isOpen && <CopyDetail copy={copy} />}
    </li>
  )
}

function CopyState({ copy, names }: Pick<LineProps, 'copy' | 'names'>): ReactNode {
  const t = useT()
  if (copy.state === 'running' && copy.waitingFor >= 0)
    return (
      <StatusChip
        tone="warning"
        title={t('across.waiting', { name: '', server: nameOfServer(names, copy.waitingFor) })}
      >
        {t('across.state.waiting')}
      </StatusChip>
    )
  if (copy.state === 'running') return <StatusChip>{t('across.state.running')}</StatusChip>
  if (copy.state === 'failed') return <StatusChip tone="danger">{t('across.state.failed')}</StatusChip>
  if (copy.state === 'cancelled') return <StatusChip>{t('across.state.cancelled')}</StatusChip>
  if (copy.refused > 0) return <StatusChip tone="warning">{t('across.state.partly')}</StatusChip>
  return <StatusChip tone="success">{t('across.state.done')}</StatusChip>
}

/** Why a copy waits or has failed, and what could not be sent. */
function CopyDetail({ copy }: { readonly copy: ServerCopy }): ReactNode {
  const t = useT()
  const locale = useLocale()
  const { copyId, state, filesDone } = copy
  const { data } = useQuery({
    queryKey: [...copiesKey, copyId, state, copy.refused, locale],
    queryFn: () => api.getServerCopy({ copyId }),
  })
  const why = copy.waitingFor >= 0 ? copy.waitingCode : copy.code
  return (
    <div className="sc-detail">
      {why !== 0 && <p role="status">{reasonOf(why)}</p>}
      {state === 'done' && copy.refused === 0 && (
        <p>
          {t('across.all', { n: filesDone })}
          {copy.isMove && t('across.removed')}
        </p>
      )}
      {data !== undefined && data.refused.length > 0 && (
        <>
          <b>{t('across.refused', { n: copy.refused })}</b>
          <ul>
            {data.refused.map(({ path, msg }) => (
              <li key={path}>
                <span>{path === '' ? t('across.unread') : path}</span>
                <small>{msg}</small>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
