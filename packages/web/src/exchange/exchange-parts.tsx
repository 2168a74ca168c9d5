// Parts of the windows and lists: the files of an exchange, and its road from the sender to the receiver.
import type { ExchangeFile, FileExchangeDetail } from '@cloudoc/contract'
import { extNameOf, formatSize, minuteTime } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { mainServer } from '../core/call/api.ts'
import { useT } from '../core/i18n/i18n.ts'
import { openWindow } from '../core/windows/index.ts'
import { FileIcon } from '../items/item/file-icon.tsx'
import { IconButton } from '../kit/button.tsx'
import { Eye16Regular } from '../kit/icons.ts'
import './exchange-texts.ts'

export function ExchangeFiles({ files }: { readonly files: readonly ExchangeFile[] }): ReactNode {
  const t = useT()
  return (
    <ul className="ex-files">
      {files.map((file) => (
        <li key={`${file.path}${file.fName}`}>
          <FileIcon ext={extNameOf(file.fName)} size={22} />
          <span title={`${file.path}${file.fName}`}>
            {file.fName}
            {file.newVersion > file.version && (
              <small>{t('exchange.version', { sent: file.version, newest: file.newVersion })}</small>
            )}
          </span>
          <small>{formatSize(file.fileSize)}</small>
          <small>{file.secretName}</small>
          {file.mayPreview && (
            <IconButton
              size="small"
              label={t('exchange.preview', { name: file.fName })}
              icon={<Eye16Regular />}
              onClick={() => void openWindow('previewer', { fileInfo: { ...mainServer, fId: file.fId } })}
            />
          )}
        </li>
      ))}
    </ul>
  )
}

/** The road of an exchange: across in the window, upright beside the list. */
export function Road({
  detail: { nodes },
  isUpright = false,
}: {
  readonly detail: Pick<FileExchangeDetail, 'nodes'>
  readonly isUpright?: boolean
}): ReactNode {
  const t = useT()
  return (
    <ol className="ex-road" data-upright={isUpright || undefined} aria-label={t('exchange.road')}>
      {nodes.map(({ kind, state, names, time }, n) => (
        // Nodes have no identity but their place.
        // biome-ignore lint/suspicious/noArrayIndexKey: the road of one exchange never changes its order.
        <li key={n} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
          <b>{t(`exchange.node.${kind}`)}</b>
          <small>
            {names.length > 2
              ? t('exchange.people', { name: names[0] ?? '', n: names.length })
              : names.join(t('exchange.comma'))}
            {time !== null && ` ${minuteTime(time)}`}
          </small>
        </li>
      ))}
    </ol>
  )
}
