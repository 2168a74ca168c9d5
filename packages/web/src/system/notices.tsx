// The presentation of the notices of this area.

import type { Notices } from '../core/area/area.ts'
import { Certificate20Regular, Megaphone20Regular } from '../kit/icons.ts'

export const systemNotices = {
  announced: { icon: () => <Megaphone20Regular /> },
  licenceEnding: {
    icon: () => <Certificate20Regular />,
  },
} satisfies Notices
