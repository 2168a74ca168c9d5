// cloudoc-force-unlock ([R080], [R149], [R181]): ends the edit locks of files, after a confirmation that names the
// editing user.
import type { ItemRecord } from '@cloudoc/contract'
import { type ReactNode, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { editorNames } from '../../items/item/editors.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { Warning24Regular } from '../../kit/icons.ts'
import { forceUnlock } from './unlock.ts'
import '../shared/edit-dialogs.css'

export interface ForceUnlockProps {
  readonly items: readonly ItemRecord[]
}

/** The dialog; returns whether a file was unlocked. */
export function ForceUnlock({ items, close }: WindowProps<ForceUnlockProps, boolean>): ReactNode {
  const t = useT()
  const { userId } = useSession().account
  const [busy, setBusy] = useState(false)
  const [first] = items
  const title = (): string => {
    if (items.length !== 1 || first === undefined) return t('unlock.ask.many', { n: items.length })
    if (first.editorId === userId) return t('unlock.ask.self')
    return first.editorList.length > 0 ? t('unlock.ask', { who: editorNames(first) }) : t('unlock.ask.several')
  }
  const unlock = async (): Promise<void> => {
    setBusy(true)
    if (await forceUnlock(items, true)) close(true)
    else setBusy(false)
  }
  return (
    <>
      <DialogBody>
        <div className="ed-told">
          <Warning24Regular className="dr-warning" />
          <div>
            <h3 className="ed-name" title={title()}>
              {title()}
            </h3>
            {items.length === 1 && (
              <p className="ed-told-name" title={first?.fName}>
                {first?.fName}
              </p>
            )}
            <p className="ed-words">{t('unlock.ask.more')}</p>
          </div>
        </div>
      </DialogBody>
      <DialogFooter>
        <Button autoFocus onClick={() => close()}>
          {t('drive.cancel')}
        </Button>
        <Button kind="danger" disabled={busy} onClick={() => void unlock()}>
          {t('unlock.menu')}
        </Button>
      </DialogFooter>
    </>
  )
}
