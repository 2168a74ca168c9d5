import type { ReactNode } from 'react'
import { ShortcutList } from '../../core/area/shortcut-list.tsx'
import { shortcutGroups } from '../../core/area/shortcuts.ts'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { Checkbox } from '../../kit/fields.tsx'
import { useHelpKey } from './help-key.ts'
import './shortcut-help.css'

/** The keyboard shortcuts of the page. */
export function ShortcutHelp({ close }: WindowProps<object>): ReactNode {
  const t = useT()
  const [on, setOn] = useHelpKey()
  return (
    <>
      <DialogBody reading={t('help.title')}>
        <div className="shortcuts">
          <ShortcutList groups={shortcutGroups()} />
        </div>
      </DialogBody>
      <DialogFooter>
        <Checkbox
          className="shortcuts-key"
          label={t('help.key')}
          checked={on}
          onChange={({ target }) => setOn(target.checked)}
        />
        <Button kind="primary" autoFocus onClick={() => close()}>
          {t('box.close')}
        </Button>
      </DialogFooter>
    </>
  )
}
