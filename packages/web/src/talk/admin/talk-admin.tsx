// Messaging as the company governs it: who may write to whom, its groups, exports that two agree to.
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { useT } from '../../core/i18n/i18n.ts'
import { ListPage } from '../../kit/list-page.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { ExportsTab } from './exports-tab.tsx'
import { GroupsTab } from './groups-tab.tsx'
import { RulesTab } from './rules-tab.tsx'
import './admin.css'

type Tab = 'rules' | 'groups' | 'exports'

export function TalkAdminPage(): ReactNode {
  const t = useT()
  const [tab, setTab] = useState<Tab>('rules')
  return (
    <ListPage
      title={t('talk.admin')}
      tools={
        <small className="ta-note">
          {t('talkAdmin.settings')} · <Link to="/doc/admin/settings">{t('talkAdmin.openSettings')}</Link>
        </small>
      }
      tabs={
        <Tabs
          id="talk-admin"
          label={t('talk.admin')}
          tabs={(['rules', 'groups', 'exports'] as const).map((one) => ({ tab: one, text: t(`talkAdmin.tab.${one}`) }))}
          chosen={tab}
          onChoose={setTab}
        />
      }
    >
      <div id="talk-admin-panel" role="tabpanel" aria-labelledby={`talk-admin-${tab}`}>
        {tab === 'rules' ? <RulesTab /> : tab === 'groups' ? <GroupsTab /> : <ExportsTab />}
      </div>
    </ListPage>
  )
}
