// The confirmation before items are deleted permanently, with the list of items ([R085]).
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { ItemLine } from '../../items/item/item-line.tsx'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'

export interface ConfirmDeleteProps {
  readonly names: { readonly fName: string; readonly fType: 1 | 2 }[]
}

/** The maximum number of names that are rendered. The rest is only counted. */
const shown = 200

/** Asks the user to confirm the permanent deletion of these items. */
export function ConfirmDelete({ names, close }: WindowProps<ConfirmDeleteProps, boolean>): ReactNode {
  const t = useT()
  return (
    <>
      <DialogBody>
        <p className="dr-dialog-lead">{t('drive.deleteForGood.text', { n: names.length })}</p>
        <ul className="dr-dialog-list" tabIndex={0} aria-label={t('drive.files')}>
          {names.slice(0, shown).map(({ fName, fType }, i) => (
            <ItemLine key={i} name={fName} isFolder={fType === 2} />
          ))}
          {names.length > shown && <li className="dr-item-rest">{t('drive.andMore', { n: names.length - shown })}</li>}
        </ul>
      </DialogBody>
      <DialogFooter>
        <Button autoFocus onClick={() => close(false)}>
          {t('drive.cancel')}
        </Button>
        <Button kind="danger" onClick={() => close(true)}>
          {t('drive.deleteForGood.ok')}
        </Button>
      </DialogFooter>
    </>
  )
}
