// The failed items of a batch, one by one ([R126]).
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { openWindow, type WindowProps } from '../../core/windows/index.ts'
import { ItemLine } from '../../items/item/item-line.tsx'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'

export interface BatchResultProps {
  readonly title: string
  readonly total: number
  /** The number of failed items, if not all of them have a row. */
  readonly failed?: number
  readonly rows: {
    readonly fId: number
    readonly fType: 1 | 2
    readonly name: string
    readonly text: string
    /** The explanation of permissions has more details. */
    readonly why?: true
    /** The main server if absent. */
    readonly serverId?: number
  }[]
  readonly canRetry: boolean
}

/** Lists the failed items with the server's messages. Returns true to retry them. */
export function BatchResult({
  title,
  total,
  failed,
  rows,
  canRetry,
  close,
}: WindowProps<BatchResultProps, boolean>): ReactNode {
  const t = useT()
  return (
    <>
      <DialogBody>
        <p className="dr-dialog-lead">{t('drive.batch.lead', { title, failed: failed ?? rows.length, total })}</p>
        <ul className="dr-dialog-list" tabIndex={0} aria-label={t('drive.files')}>
          {rows.map((row, n) => (
            <ItemLine key={n} name={row.name} isFolder={row.fType === 2} note={row.text}>
              {row.why && (
                <Button
                  kind="link"
                  size="small"
                  aria-label={t('drive.next.whyOf', { name: row.name })}
                  onClick={() =>
                    void openWindow('drive-why', {
                      item: { serverId: row.serverId ?? 0, fId: row.fId, fType: row.fType, fName: row.name },
                    })
                  }
                >
                  {t('drive.next.why')}
                </Button>
              )}
            </ItemLine>
          ))}
        </ul>
        {failed !== undefined && failed > rows.length && <p>{t('drive.batch.more', { n: failed - rows.length })}</p>}
      </DialogBody>
      <DialogFooter>
        {canRetry && <Button onClick={() => close(true)}>{t('drive.batch.retry', { n: rows.length })}</Button>}
        <Button kind="primary" autoFocus onClick={() => close(false)}>
          {t('drive.ok')}
        </Button>
      </DialogFooter>
    </>
  )
}
