/*
 * What a copy to another server could not send, before it starts ([R123]): the server of the target says which items it
 * would refuse, and which ones it would name otherwise.
 */
import type { Answer, calls } from '@cloudoc/contract'
import { formatSize } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import './across-texts.ts'
import './server-copies.css'

type Checked = Answer<typeof calls.checkServerCopy>

export interface AcrossCheckProps {
  readonly source: string
  readonly server: string
  /** The name of the target folder. */
  readonly target: string
  /** What is sent, in words. */
  readonly title: string
  readonly isMove: boolean
  readonly check: () => Promise<Checked>
}

/** Answers whether to start. */
export function AcrossCheck(props: WindowProps<AcrossCheckProps, boolean>): ReactNode {
  const { source, server, target, title, isMove, check, close } = props
  const t = useT()
  const id = useId()
  const { data, error } = useQuery({ queryKey: ['drive', 'acrossCheck', id], queryFn: check, retry: false, gcTime: 0 })
  // What cannot be checked may still be sent: each item is checked on its way.
  const mayStart =
    error !== null || (data !== undefined && (data.files + data.folders > data.refused || !data.isComplete))
  return (
    <>
      <DialogBody>
        <p className="ac-text">{t('across.ask.text', { name: title, source, server, target })}</p>
        <div className="ac-found" role="status" aria-busy={data === undefined && error === null}>
          {error !== null && <p className="ac-warning">{t('across.check.failed', { why: error.message })}</p>}
          {error === null && data === undefined && (
            <div className="ac-waiting">
              <Spinner />
              {t('across.check.running', { server })}
            </div>
          )}
          {data !== undefined && <Found data={data} server={server} />}
        </div>
        <p className="ac-detail">
          {t('across.ask.left')}
          {isMove && t('across.ask.moved', { source })}
        </p>
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close(false)}>{t('box.cancel')}</Button>
        <Button kind="primary" disabled={!mayStart} onClick={() => close(true)}>
          {t(isMove ? 'across.do.move' : 'across.do.copy')}
        </Button>
      </DialogFooter>
    </>
  )
}

function Found({ data, server }: { readonly data: Checked; readonly server: string }): ReactNode {
  const t = useT()
  const { files, folders, bytes, refused, renamed, isComplete, problems } = data
  const shown = {
    refused: problems.filter(({ result }) => result !== -1),
    renamed: problems.filter((one) => one.result === -1),
  }
  return (
    <>
      <p>{t('across.check.counted', { files, folders, bytes: formatSize(bytes) })}</p>
      {!isComplete && <p className="ac-warning">{t('across.check.part')}</p>}
      {refused === 0 && renamed === 0 && isComplete && <p>{t('across.check.fine', { server })}</p>}
      {shown.refused.length > 0 && (
        <section className="sc-detail">
          <b>{t('across.check.refused', { n: refused, server })}</b>
          <ul>
            {shown.refused.map(({ path, msg }, n) => (
              // oxlint-disable-next-line react/no-array-index-key -- items without a path cannot be told apart
              <li key={n}>
                <span>{path === '' ? t('across.check.unreadable') : path}</span>
                <small>{msg}</small>
              </li>
            ))}
          </ul>
        </section>
      )}
      {shown.renamed.length > 0 && (
        <section className="sc-detail">
          <b>{t('across.check.renamed', { n: renamed })}</b>
          <ul>
            {shown.renamed.map(({ path, name }) => (
              <li key={path}>
                <span>{t('across.check.name', { path, name })}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
