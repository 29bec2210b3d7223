import { z } from 'zod';
import { levels, roles, tokenScopes } from './access.ts';

export const LevelName = z.enum(levels).meta({ id: 'Level' });
export const RoleName = z.enum(roles).meta({ id: 'Role' });
export const TokenScopeName = z.enum(tokenScopes).meta({ id: 'TokenScope' });
