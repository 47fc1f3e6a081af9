/** All tests in one process, loaded the way Pi loads the extension: `npx -y jiti@2.7.0 test/run.ts`. */

import "./barrier.test.ts";
import "./binary.test.ts";
import "./child.test.ts";
import "./commands.test.ts";
import "./guard.test.ts";
import "./mcp.test.ts";
import "./messages.test.ts";
import "./records.test.ts";
import "./reload.test.ts";
import "./rpc.test.ts";
import "./screen.test.ts";
import "./tools.test.ts";
import "./wire.test.ts";
