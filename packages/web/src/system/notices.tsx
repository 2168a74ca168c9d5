// The presentation of the notices of this area.
import { Certificate20Regular, Megaphone20Regular } from '@fluentui/react-icons'
import type { Notices } from '../core/area/area.ts'

export const systemNotices = {
  announced: { icon: () => <Megaphone20Regular /> },
  licenceEnding: {
    icon: () => <Certificate20Regular />,
  },
} satisfies Notices
