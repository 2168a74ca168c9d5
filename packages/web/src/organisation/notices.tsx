// The presentation of notices to security administrators.

import type { Notices } from '../core/area/area.ts'
import { Certificate20Regular, Laptop20Regular, PersonProhibited20Regular, PersonSwap20Regular } from '../kit/icons.ts'

export const organisationNotices = {
  deviceWaiting: {
    icon: () => <Laptop20Regular />,
    detail: ({ address }) => address,
  },
  leaversWaiting: {
    icon: () => <PersonProhibited20Regular />,
  },
  mappingWaiting: {
    icon: () => <PersonSwap20Regular />,
  },
  signingCertificateEnding: {
    icon: () => <Certificate20Regular />,
  },
} satisfies Notices
