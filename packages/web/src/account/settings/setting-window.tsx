// The settings of the application in this browser ([R072], [R078], [R395]). Every change takes effect at once.

import { type ReactNode, useEffect, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { savePreferences } from '../../core/storage/preferences.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import {
  AlertRegular,
  ArrowSortRegular,
  ColorRegular,
  Database20Regular,
  KeyboardRegular,
  SettingsRegular,
} from '../../kit/icons.ts'
import { SidePages } from '../frame/side-pages.tsx'
import { CacheSettings } from './cache.tsx'
import { NoticeSettings } from './notices.tsx'
import { AppearanceSettings, GeneralSettings, ShortcutSettings, TransferSettings } from './pages.tsx'
import '../frame/account.css'

const pages = {
  general: { icon: <SettingsRegular />, page: GeneralSettings },
  notices: { icon: <AlertRegular />, page: NoticeSettings },
  transfer: { icon: <ArrowSortRegular />, page: TransferSettings },
  appearance: { icon: <ColorRegular />, page: AppearanceSettings },
  shortcuts: { icon: <KeyboardRegular />, page: ShortcutSettings },
  cache: { icon: <Database20Regular />, page: CacheSettings },
} as const
type PageName = keyof typeof pages

export interface SettingWindowProps {
  readonly page?: PageName
}

export function SettingWindow({ page = 'general' }: WindowProps<SettingWindowProps>): ReactNode {
  const t = useT()
  const [at, setAt] = useState<PageName>(page)
  const { page: Page } = pages[at]
  useEffect(() => savePreferences, [])
  return (
    <SidePages
      label={t('setting.title')}
      pages={(Object.keys(pages) as PageName[]).map((id) => ({
        id,
        label: t(`setting.${id}`),
        icon: pages[id].icon,
      }))}
      at={at}
      onGo={setAt}
      foot={t('setting.atOnce')}
    >
      <div className="ac-body">
        <Page />
      </div>
    </SidePages>
  )
}
