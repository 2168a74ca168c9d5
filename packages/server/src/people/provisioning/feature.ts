// Feature: provisioning by SCIM 2.0.
import { features } from '@cloudoc/contract'
import { feature } from '../../core/feature.ts'
import { provisioningHandlers } from './index.ts'
import { scimPaths } from './paths.ts'
import { serveScim } from './serve.ts'
import { provisioningTables } from './tables.ts'

export const provisioning = feature({
  wire: features.provisioning,
  tables: provisioningTables,
  paths: scimPaths,
  open: (services) => ({
    handlers: provisioningHandlers(services),
    routes: (http, perform) => serveScim(http, { ...services, perform }),
  }),
})
