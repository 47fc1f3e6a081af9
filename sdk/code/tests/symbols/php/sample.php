<?php
namespace Shop\Core;

use Shop\Price;
use Shop\Other as Alias;
require_once 'helpers.php';

const LIMIT = 10;
define('MINIMUM', 1);

/**
 * A cart — in €.
 */
#[Entity]
final class Cart extends Base implements Store
{
    use Countable;
    public const OPEN = 1;
    private array $items = [];
    protected static ?string $name;
    var $legacy;

    /** Makes one. */
    public function __construct(private Store $store, int $size = LIMIT) { parent::__construct($size); }

    public function add(Item $item, float ...$prices): bool
    {
        $doubled = $prices[0] * 2;
        foreach ($prices as $price) { $this->log($price); }
        $later = fn ($value) => check($value, name: $doubled);
        return $later(self::OPEN) && Price::of($item)->total > static::$name;
    }

    function log($price) { echo "price {$price} LIMIT"; }

    // Not a doc comment.
    private static function hidden() {}
}

interface Store { public function save(Item $item): bool; }
trait Countable { protected int $count = 0; }
enum State: string { case Open = 'open'; case Closed = 'closed'; }

/** Adds up. */
function total(array $items): float { return array_sum($items); }

$handler = function ($event) { return total($event); };
