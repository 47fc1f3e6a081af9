using module Shop.Core
. ./lib.ps1
Import-Module Pester

$Limit = 10
$script:Hidden = 1

<#
.SYNOPSIS
Adds up.
#>
function Get-Total {
    [CmdletBinding()]
    param([Parameter(Mandatory)] [int[]] $Items, [double] $Rate = 1.0)
    $sum = 0
    foreach ($item in $Items) { $sum += Get-Price -Item $item }
    return $sum
}

# What people buy.
class Cart : Base {
    [string] $Name
    hidden [int] $Count
    Cart([string] $name) { $this.Name = $name }
    [int] Total([int] $rate) { return Get-Total $rate }
    static [Cart] Empty() { return [Cart]::new("") }
}

enum Shape { Circle; Square }
filter twice { $_ * 2 }
