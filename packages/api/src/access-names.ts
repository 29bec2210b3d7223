import { z } from 'zod';
import { levels, roles } from './access.ts';

export const LevelName = z.enum(levels).meta({ id: 'Level' });
export const RoleName = z.enum(roles).meta({ id: 'Role' });
